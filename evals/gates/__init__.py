"""The gates that an environment must hold before anybody is ranked on it, one module for each kind."""

"""`python -m agents.analyst.sources.shop`: makes the shipped tables and the handbook anew."""

from agents.analyst.sources.shop.handbook import write_handbook
from agents.analyst.sources.shop.making import tables
from agents.analyst.sources.shop.opening import SHIPPED
from agents.analyst.sources.shop.writing import write_parquet

SHIPPED.mkdir(exist_ok=True)
write_parquet(tables(), SHIPPED)
write_handbook(SHIPPED / "handbook.pdf")

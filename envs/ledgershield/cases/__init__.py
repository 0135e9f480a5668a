"""Cases: how a case comes about, from what is behind it to the words of its file."""

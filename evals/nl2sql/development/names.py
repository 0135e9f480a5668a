"""Names: what people, books and songs of the development databases are called."""

FIRST = """
    Ada Bruno Clara Dario Elif Farid Greta Hugo Ines Jonas Kofi Lena Mira Nils Olga Pablo Rosa Sami
    Tara Viktor
""".split()
LAST = """
    Abara Berg Costa Dahl Eker Fontes Gruber Holm Ito Jansen Kemp Lund Moreau Novak Okoye Prins
""".split()
ADJECTIVES = """
    Silent Golden Hidden Broken Distant Crimson Little Frozen Wild Hollow Bright Last
""".split()
NOUNS = """
    River Garden Letter Mountain Winter Harbor Bridge Mirror Forest Stranger
""".split()

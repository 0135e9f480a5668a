"""Names of the shop: regions, products, people and places, none of them real."""

from __future__ import annotations

REGIONS = ("Central", "East", "North", "South", "West")
MANAGERS = ("Mara Lindqvist", "Teguh Santoso", "Ilse Brandt", "Pablo Ferrer", "Nadia Okafor")
OPENED = ("2015-03-01", "2016-06-15", "2017-01-10", "2018-09-01", "2016-02-20")
CHANNELS = ("Online", "Store", "Partner", "Phone")
FEES = (0.02, 0.0, 0.08, 0.03)
"""What a channel takes, as a share."""
SEGMENTS = ("Consumer", "Corporate", "Small Business")

PRODUCTS = {
    "Furniture": (
        "Alder Desk", "Birch Chair", "Cedar Shelf", "Dune Sofa", "Elm Table", "Fjord Stool", "Grove Bench",
        "Harbor Cabinet",
    ),
    "Technology": (
        "Atlas Laptop", "Beacon Phone", "Comet Tablet", "Delta Monitor", "Echo Headset", "Flux Keyboard",
        "Glide Mouse", "Helix Printer",
    ),
    "Office Supplies": (
        "Canvas Binder", "Daily Planner", "Ever Pen Set", "Focus Notebook", "Grid Paper", "Hold Stapler",
        "Inkwell Refill", "Junction Labels",
    ),
    "Lighting": (
        "Amber Lamp", "Bright Panel", "Cove Strip", "Dawn Lantern", "Ember Spot", "Flare Bulb",
        "Glow Pendant", "Halo Ring",
    ),
    "Storage": (
        "Apex Crate", "Base Locker", "Core Drawer", "Dock Rack", "Edge Box", "Fold Bin", "Gate Trolley",
        "Hive Organizer",
    ),
}  # fmt: skip
PRICES = {
    "Furniture": 320.0,
    "Technology": 450.0,
    "Office Supplies": 35.0,
    "Lighting": 90.0,
    "Storage": 110.0,
}
"""About what a product of a category costs, in US dollars."""

FIRST_NAMES = (
    "Adi", "Agnes", "Amir", "Bela", "Citra", "Clara", "Dewi", "Emil", "Farah", "Gilang", "Hana",
    "Ivo", "Joko", "Kira", "Lena", "Marco", "Nia", "Oskar", "Putri", "Quinn", "Rafi", "Sari",
    "Tomas", "Umar", "Vera", "Wayan", "Xenia", "Yusuf", "Zoe", "Bayu",
)  # fmt: skip
LAST_NAMES = (
    "Abel", "Basuki", "Castell", "Darma", "Ekberg", "Fontana", "Gunawan", "Hartono", "Ibsen",
    "Jansen", "Kusuma", "Laurent", "Moreno", "Nugroho", "Olsen", "Pratama", "Rahman", "Setiawan",
    "Tanaka", "Utomo", "Vidal", "Wijaya", "Yilmaz", "Zimmer",
)  # fmt: skip
CITIES = (
    "Alderton", "Brookhaven", "Calloway", "Dunmere", "Eastvale", "Fairwick", "Glenrock", "Hollis",
    "Ironbridge", "Juniper", "Kingsport", "Larkspur",
)  # fmt: skip

"""Words of the shop: what people call its tables and columns, in English and Indonesian, and their units."""

from __future__ import annotations

from envs.analyst.catalogue import Column, Source, Table

TABLES = {
    "orders": ("order", "sale", "purchase", "transaction", "pesanan", "penjualan", "transaksi"),
    "region": ("area", "territory", "wilayah", "daerah", "regional"),
    "product": ("item", "article", "produk", "barang"),
    "customer": ("client", "buyer", "pelanggan", "pembeli", "klien"),
    "channel": ("sales channel", "saluran", "kanal"),
}
COLUMNS = {
    ("orders", "amount"): (
        "revenue", "sales", "turnover", "order value", "income", "pendapatan", "penjualan", "omzet", "nilai",
        "nilai pesanan",
    ),
    ("orders", "quantity"): ("units", "units sold", "pieces", "jumlah", "jumlah barang", "kuantitas", "unit"),
    ("orders", "discount"): ("rebate", "reduction", "diskon", "potongan"),
    ("orders", "status"): ("order status", "state", "status pesanan"),
    ("orders", "ordered_at"): ("order date", "ordered", "date", "tanggal", "tanggal pesanan", "waktu"),
    ("region", "name"): ("region", "wilayah", "daerah"),
    ("region", "manager"): ("head", "lead", "manajer", "kepala", "pimpinan"),
    ("product", "name"): ("product", "item", "produk", "barang"),
    ("product", "category"): ("product category", "kind", "kategori", "kategori produk", "jenis"),
    ("product", "unit_price"): ("price", "list price", "harga", "harga satuan"),
    ("product", "launched_on"): ("launch date", "launched", "tanggal peluncuran"),
    ("customer", "name"): ("customer", "client", "pelanggan"),
    ("customer", "segment"): ("customer segment", "segmen", "segmen pelanggan"),
    ("customer", "city"): ("town", "kota"),
    ("customer", "email"): ("e-mail", "email address", "surel"),
    ("customer", "birth_year"): ("year of birth", "tahun lahir"),
    ("customer", "joined_on"): ("join date", "joined", "signed up", "tanggal bergabung"),
    ("channel", "name"): ("channel", "sales channel", "saluran", "kanal"),
    ("channel", "fee"): ("commission", "biaya", "komisi"),
}  # fmt: skip
UNITS = {
    ("orders", "amount"): "USD",
    ("orders", "discount"): "%",
    ("product", "unit_price"): "USD",
    ("channel", "fee"): "%",
}


def described(source: Source) -> Source:
    """The shop's catalogue with its words and units."""
    return source.model_copy(update={"tables": tuple(_table(table) for table in source.tables)})


def _table(table: Table) -> Table:
    columns = tuple(_column(table.table_id, column) for column in table.columns)
    return table.model_copy(update={"columns": columns, "synonyms": TABLES[table.table_id]})


def _column(table_id: str, column: Column) -> Column:
    place = (table_id, column.name)
    return column.model_copy(update={"synonyms": COLUMNS.get(place, ()), "unit": UNITS.get(place)})

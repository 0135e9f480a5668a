"""Thesaurus: words that name the same kind of thing in most databases, English and Indonesian.

A plain table of groups; leaves to the linker what a match through it is worth.
"""

from __future__ import annotations

from collections.abc import Iterable

from agents.analyst.planning.words import folded, stem

_GROUPS = """
city town kota municipality
country nation nationality negara kewarganegaraan citizenship
region wilayah area territory daerah
province provinsi state
revenue sales turnover penjualan pendapatan omzet omset income takings
amount nilai
spend spending expense expenditure pengeluaran belanja
price cost harga biaya
salary wage pay gaji upah compensation earning
employee staff worker karyawan pegawai personnel
student pupil siswa mahasiswa murid
teacher instructor guru lecturer dosen
customer client pelanggan buyer pembeli konsumen
product item produk barang goods
order pesanan purchase pembelian
category kategori genre
type kind tipe jenis
channel kanal saluran
date tanggal day
time waktu
year tahun
month bulan
name nama title judul
age umur usia
gender sex kelamin
address alamat
phone telephone telepon cellphone mobile
email e-mail surel
location place lokasi tempat venue position
company firm business perusahaan enterprise
department departemen dept
manager head boss manajer
book buku
author writer penulis
movie film picture
song track lagu
singer artist musician penyanyi
stadium arena
match game pertandingan
player athlete pemain
team club tim klub
score point skor
weight berat
height tinggi
length panjang duration durasi runtime
capacity kapasitas seat
quantity qty kuantitas volume
discount diskon potongan
code kode
id identifier
status state condition
description deskripsi keterangan
population inhabitant resident people penduduk populasi
language bahasa
hospital clinic klinik
patient pasien
doctor physician dokter
airport bandara
airline carrier maskapai
flight penerbangan
car vehicle automobile mobil kendaraan
maker manufacturer producer brand merek produsen
rating rate star
review ulasan
course class subject mata-kuliah kursus
grade mark
home hometown
stock inventory stok persediaan
supplier vendor pemasok
shipment delivery pengiriman
payment pembayaran
invoice bill faktur
account rekening akun
loan pinjaman
bank branch cabang
store shop outlet toko
warehouse depot gudang
member anggota
visitor guest tamu pengunjung
event acara
project proyek
budget anggaran
goal target
segment segmen
profit laba keuntungan
tenure masa-kerja
doctor physician
pet animal hewan
breed race
owner pemilik
birthday birth birthdate lahir born
first given
last family surname
hire join hired joined bergabung
start begin began started mulai
end finish ended
reason cause
room kamar
village desa
farm kebun ladang
crop tanaman
ship vessel kapal
port harbor pelabuhan
nurse perawat
ticket tiket
"""


def _classes() -> dict[str, str]:
    classes: dict[str, str] = {}
    for line in _GROUPS.strip().splitlines():
        words = [stem(folded(word)) for word in line.split()]
        for word in words:
            classes.setdefault(word, words[0])
    return classes


_CLASSES = _classes()
_SHORT = {
    "fname": "first name", "lname": "last name", "dob": "date birth", "qty": "quantity", "amt": "amount",
    "num": "number", "no": "number", "addr": "address", "dept": "department", "emp": "employee",
    "stu": "student", "prof": "professor", "desc": "description", "lang": "language", "cust": "customer",
    "acc": "account", "acct": "account", "yr": "year", "mgr": "manager", "tel": "phone", "pct": "percent",
    "apt": "apartment",
    "cat": "category", "prod": "product", "loc": "location", "stuid": "student id", "petid": "pet id",
    "firstname": "first name", "lastname": "last name", "birthdate": "birth date", "surname": "last name",
    "forename": "first name", "lifespan": "life span", "nr": "number", "dt": "date", "ctry": "country",
}  # fmt: skip


def kind_of(word: str) -> str:
    """The stem that stands for a stem's group; itself if it is in none."""
    return _CLASSES.get(word, word)


def spelled_out(words: Iterable[str]) -> tuple[str, ...]:
    """Words of a name with the usual abbreviations of databases written out."""
    return tuple(part for word in words for part in _SHORT.get(word, word).split())


BUYING = frozenset(
    """
    bought buy buys buying purchased purchases shopped order ordered memesan dipesan pesan membeli beli
    belanja berbelanja bertransaksi sold sell sells terjual dijual dibeli
    """.split()
)
"""Verbs that say that there was an order."""
VERBS = frozenset(
    """
    saw see seen had
    wrote written writes write gave gives give got operates operate run runs ran sold sell sells
    bought buy buys paid pay pays spent spend teach teaches taught serve serves play plays speak
    speaks spoken drive drives driven won win wins lost born made makes make led leads lead go goes
    went gone fly flies flown depart departs arrive arrives leave leaves left become became begin
    started took taken know known contain earn earns cost costs include wear wears grew grow grows
    attend attends teach study studies offer offers own owns stay stays bekerja menulis ditulis
    correspond accommodate hold holds held host hosts hosted cover covers covered locate join joins
    joined live lives direct directs hire hires invest invests train trains dibuat dijual membeli
    menjual dipinjam mengajar bermain tinggal berasal dilakukan
    """.split()
)
"""Verbs that say little more than the tables that they stand between."""

NOUNS = frozenset("type types kind kinds member members".split())
"""Nouns that say nothing beside the name of a table or a column: `staff members`, `gender type`."""

"""The rules of accounts payable on cases that people reported, each with its right value."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.ledgershield.matching import (
    accounts,
    arithmetic,
    credit_notes,
    diversion,
    duplicates,
    numbers,
    payments,
    three_way,
    vendors,
)
from envs.ledgershield.matching.accounts import Difference, Doubt
from envs.ledgershield.matching.arithmetic import Product, Rounding, Sums, Totals
from envs.ledgershield.matching.credit_notes import Credit, Money
from envs.ledgershield.matching.diversion import Change, Ruling, Sign
from envs.ledgershield.matching.duplicates import Bill, Verdict
from envs.ledgershield.matching.numbers import Likeness
from envs.ledgershield.matching.payments import Open, Settlement
from envs.ledgershield.matching.three_way import Excess, Line, Mismatch, Tolerance
from envs.ledgershield.matching.vendors import Kinship, Vendor

D = Decimal
ON_FILE = "DE97999999990000012345"
OTHER = "DE93999999990000054321"
HALDEN, PELL, TARN = (
    Vendor(name, f"{account}")
    for name, account in (("Halden Tools", ON_FILE), ("Pell", OTHER), ("Tarn", "T"))
)


def bill(vendor: Vendor | None, number: str, amount: str) -> Bill:
    return Bill(vendor, number, D(amount))


# Duplicates


def test_zeros_in_front_make_no_second_invoice():  # E01
    first, second = bill(HALDEN, "00412-0000077", "310.00"), bill(HALDEN, "412-0000077", "310.00")
    assert duplicates.checked(second, [first]).verdict is Verdict.DUPLICATE


def test_letters_that_look_like_digits_are_for_a_person_and_neither_number_is_rewritten():  # E04
    first, second = bill(PELL, "DSO00412", "88.40"), bill(PELL, "DS000412", "88.40")
    found = duplicates.checked(second, [first])
    assert found.verdict is Verdict.LIKELY
    assert found.entry is not None
    assert (found.entry.number, second.number) == ("DSO00412", "DS000412")


def test_the_same_bill_is_held_whatever_its_date():  # E07
    first, second = bill(PELL, "R-5501", "640.00"), bill(PELL, "R-5501", "640.00")
    assert duplicates.checked(second, [first]).verdict is Verdict.DUPLICATE


def test_a_vendor_that_is_on_file_twice_is_not_paid_twice():  # E11
    one, other = Vendor("Brook Plumbing Inc.", ON_FILE), Vendor("Brook Plumbing, LLC", ON_FILE)
    found = duplicates.checked(bill(other, "INV-880", "200.00"), [bill(one, "INV-880", "200.00")])
    assert found.verdict is Verdict.DUPLICATE
    assert found.vendor_twice
    assert vendors.kinship(one, other) is Kinship.DUPLICATE_RECORD


def test_two_swapped_digits_go_to_review():  # E12
    found = duplicates.checked(bill(TARN, "INV-3412", "975.00"), [bill(TARN, "INV-4312", "975.00")])
    assert found.verdict is Verdict.LIKELY


def test_a_letter_at_the_end_goes_to_review():  # E13
    found = duplicates.checked(bill(TARN, "INV-1240A", "310.00"), [bill(TARN, "INV-1240", "310.00")])
    assert found.verdict is Verdict.LIKELY


def test_a_bill_without_a_vendor_is_checked_when_its_vendor_is_set():  # E14
    entries = [bill(PELL, "R-77", "42.00")]
    assert duplicates.checked(bill(None, "R-77", "42.00"), entries).verdict is Verdict.UNCHECKED
    assert duplicates.checked(bill(PELL, "R-77", "42.00"), entries).verdict is Verdict.DUPLICATE


def test_a_credit_note_is_not_blocked_by_the_number_of_its_invoice():  # E15
    invoice, credit = bill(PELL, "R-5501", "640.00"), bill(PELL, "R-5501", "-640.00")
    assert duplicates.checked(credit, [invoice]).verdict is Verdict.NEW
    assert invoice.amount + credit.amount == D("0.00")


def test_the_same_number_of_another_vendor_is_another_bill():
    found = duplicates.checked(bill(TARN, "R-77", "42.00"), [bill(PELL, "R-77", "42.00")])
    assert found.verdict is Verdict.NEW


def test_a_certain_duplicate_is_named_before_a_likely_one():
    entries = [bill(TARN, "INV-1240A", "310.00"), bill(TARN, "INV-1240", "310.00")]
    found = duplicates.checked(bill(TARN, "INV-1240", "310.00"), entries)
    assert found.verdict is Verdict.DUPLICATE
    assert found.entry is entries[1]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("R-77", "r- 77", Likeness.SAME),
        ("R-077", "R-77", Likeness.ZEROS),
        ("R-770", "R-77", Likeness.OTHER),
        ("R-7O", "R-70", Likeness.LOOK_ALIKE),
        ("R-77", "R-77B", Likeness.SUFFIXED),
        ("R-1237", "R-1273", Likeness.SWAPPED),
        ("R-1237", "R-3217", Likeness.OTHER),
        ("R-0", "R-", Likeness.OTHER),
    ],
)
def test_numbers_are_alike_in_the_closest_way_that_holds(one: str, other: str, alike: Likeness):
    assert numbers.likeness(one, other) is alike
    assert numbers.likeness(other, one) is alike


def test_a_vendors_legal_form_is_no_part_of_its_name():
    assert vendors.kinship(Vendor("Aske S.A.", "1"), Vendor("ASKE GmbH", "2")) is Kinship.SAME_NAME
    assert vendors.kinship(Vendor("Aske", "1"), Vendor("Larsen", "1")) is Kinship.SAME_ACCOUNT
    assert vendors.kinship(Vendor("Aske", "1"), Vendor("Larsen", "2")) is Kinship.APART
    assert vendors.kinship(Vendor("Aske", "1"), Vendor("Aske", "1 ")) is Kinship.SAME_RECORD


# Payments


def test_a_reference_with_a_zero_fewer_is_proposed_for_review():  # E02
    found = payments.matched("HX-0042", D("75.00"), [Open("HX-00042", D("75.00"))])
    assert found.settlement is Settlement.REVIEW
    assert found.invoice == Open("HX-00042", D("75.00"))


def test_a_short_number_inside_a_longer_one_settles_nothing():  # E03
    found = payments.matched("Payment Larsen (4927)", D("640.00"), [Open("27", D("2200.00"))])
    assert found.settlement is Settlement.UNKNOWN
    assert found.invoice is None


def test_a_whole_number_and_its_amount_settle_and_another_amount_is_for_a_person():
    invoices = [Open("27", D("2200.00")), Open("28", D("640.00"))]
    assert payments.matched("Payment (28)", D("640.00"), invoices) == payments.Match(
        Settlement.SETTLES, invoices[1]
    )
    assert payments.matched("Payment (27)", D("640.00"), invoices) == payments.Match(
        Settlement.REVIEW, invoices[0]
    )


# Account numbers


def test_a_letter_in_a_place_for_digits_is_a_slip_and_the_account_on_file_is_offered():  # E05
    read = "DE97 9999 9999 0000 0I23 45"
    assert accounts.doubts(read) >= {Doubt.LETTER}
    found = accounts.compared(read, ON_FILE)
    assert found.difference is Difference.SCAN_SLIP
    assert found.suggestion == ON_FILE


@pytest.mark.parametrize(
    ("wrong", "valid"),
    [
        ("DE00999999990000010017", "DE97999999990000010017"),
        ("DE01999999990000010096", "DE98999999990000010096"),
        ("DE99999999990000010078", "DE02999999990000010078"),
    ],
)
def test_check_digits_00_01_and_99_are_invalid_though_the_remainder_is_one(wrong: str, valid: str):  # E27
    as_number = "".join(str(int(letter, 36)) for letter in wrong[4:] + wrong[:4])
    assert int(as_number) % 97 == 1
    assert accounts.doubts(wrong) == {Doubt.CHECK_DIGITS}
    assert accounts.valid_form(wrong) == valid
    assert accounts.doubts(valid) == frozenset()


def test_one_digit_off_the_account_on_file_is_held_and_confirmed_and_no_accusation():  # E29
    read = "DE97999999990000012346"
    assert accounts.doubts(read) == {Doubt.CHECK_DIGITS}
    assert accounts.compared(read, ON_FILE) == accounts.Comparison(Difference.ONE_DIGIT_OFF, ON_FILE)


def test_another_valid_account_is_another_account_and_nothing_is_suggested():
    assert accounts.compared(OTHER, ON_FILE) == accounts.Comparison(Difference.OTHER)
    assert accounts.compared(" de97 9999 9999 0000 0123 45", ON_FILE).difference is Difference.NONE
    assert accounts.compared("DE97", ON_FILE) == accounts.Comparison(Difference.INVALID)
    with pytest.raises(ValueError, match="no IBAN"):
        accounts.valid_form("account 7")


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(rest=st.text("0123456789", min_size=18, max_size=18), place=st.integers(4, 21), by=st.integers(1, 9))
def test_any_one_wrong_digit_breaks_the_check_digits(rest: str, place: int, by: int):
    right = accounts.valid_form(f"DE00{rest}")
    digit = str((int(right[place]) + by) % 10)
    wrong = right[:place] + digit + right[place + 1 :]
    assert accounts.doubts(right) == frozenset()
    assert accounts.compared(wrong, right).difference is Difference.ONE_DIGIT_OFF


# The match


def test_at_zero_tolerance_three_thousandths_are_an_excess():  # E16
    found = three_way.matched(Line(D(80), D(1)), D("80.003"), [Line(D(80), D(1))], Tolerance())
    assert found == (Excess(Mismatch.OVERDELIVERY, D("0.003")),)
    wide = Tolerance(quantity=D("0.01"))
    assert three_way.matched(Line(D(80), D(1)), D("80.003"), [Line(D(80), D(1))], wide) == ()


def test_a_returned_quantity_is_taken_off_before_anything_is_called_overbilled():  # E18
    billed = [Line(D(10), D("12.40")), Line(D(-3), D("12.40"))]
    assert three_way.net(billed) == D("86.80")
    assert three_way.matched(Line(D(10), D("12.40")), D(7), billed, Tolerance()) == ()


def test_each_mismatch_is_named_with_what_it_exceeds_by():
    found = three_way.matched(Line(D(10), D(4)), D(6), [Line(D(12), D("4.50"))], Tolerance(price=D("0.05")))
    assert found == (
        Excess(Mismatch.PRICE, D("0.50")),
        Excess(Mismatch.QUANTITY, D(2)),
        Excess(Mismatch.RECEIPT, D(6)),
    )


# Arithmetic


def test_the_rounding_amount_is_part_of_what_is_paid():  # E19
    totals = Totals(D("40.10"), D("8.02"), D("48.12"), rounding=D("-0.02"), due=D("48.10"))
    assert arithmetic.payable(totals) == D("48.10")
    dropped = Totals(D("40.10"), D("8.02"), D("48.12"), rounding=D("0.00"), due=D("48.10"))
    assert arithmetic.payable(dropped) is None


def test_tax_is_right_whether_it_was_rounded_on_each_line_or_on_the_total():  # E20
    lines = [D("1.03")] * 3
    assert arithmetic.tax_rounding(lines, D("0.21"), D("0.66")) is Rounding.PER_LINE
    assert arithmetic.tax_rounding(lines, D("0.21"), D("0.65")) is Rounding.ON_TOTAL
    assert arithmetic.tax_rounding(lines, D("0.21"), D("0.67")) is None
    assert arithmetic.tax_rounding([D("10.00")], D("0.21"), D("2.10")) is Rounding.EXACT


def test_a_cent_between_lines_and_header_is_rounding():  # E21
    lines = [Product(D("2.1"), D("0.05"))] * 2
    assert arithmetic.summed(lines, D("0.21")) == (D("0.22"), Sums.ROUNDING)
    assert arithmetic.summed(lines, D("0.22")) == (D("0.22"), Sums.AGREE)
    assert arithmetic.summed(lines, D("0.24")) == (D("0.22"), Sums.DISAGREE)


def test_a_quantity_and_a_price_that_ran_together_are_split_where_they_multiply():  # E24
    assert arithmetic.split("3003.20", D("960.00")) == (Product(D(300), D("3.20")),)
    assert arithmetic.split("3003.20", D("961.00")) == ()
    assert arithmetic.split("11", D("1.00")) == (Product(D(1), D(1)),)


# Credit notes


def test_a_credit_in_another_currency_leaves_what_is_due_in_the_invoices():  # E35
    credit = Credit(Money(D("100.00"), "EUR"), rate=D("1.10"))
    assert credit_notes.due(Money(D("1000.00"), "USD"), [credit]) == Money(D("890.00"), "USD")


def test_a_full_credit_at_a_newer_rate_leaves_nothing_and_never_exceeds_its_invoice():  # E36
    # Of EUR 100 that were booked at 1.08, whatever the rate is now: what it has done since is no credit.
    credit = Credit(Money(D("100.00"), "EUR"), rate=D("1.08"))
    assert credit_notes.due(Money(D("108.00"), "USD"), [credit]) == Money(D("0.00"), "USD")


def test_in_one_currency_there_is_no_difference_of_rates():  # E37
    credit = Credit(Money(D("500.00"), "EUR"), rate=D("1.07"))
    assert credit_notes.due(Money(D("500.00"), "EUR"), [credit]) == Money(D("0.00"), "EUR")


# Diversion


def test_a_changed_account_is_held_and_the_number_on_file_is_called():  # E30
    found = diversion.judged("new bank, please pay today", OTHER, ON_FILE)
    assert found.ruling is Ruling.HOLD_AND_CALL
    assert found.signs == {Sign.ACCOUNT, Sign.NEW_BANK}


def test_an_account_whose_change_was_called_back_and_approved_twice_is_released_with_its_entry():  # E31
    log = (Change("LOG-17", OTHER, called=True, approvals=2),)
    found = diversion.judged("new bank, please pay today", OTHER, ON_FILE, log)
    assert found == diversion.Judged(Ruling.RELEASE, frozenset(), cites="LOG-17")


@pytest.mark.parametrize(("called", "approvals"), [(False, 2), (True, 1)])
def test_a_change_without_a_call_or_a_second_approval_clears_nothing(called: bool, approvals: int):
    log = (Change("LOG-17", OTHER, called=called, approvals=approvals),)
    assert diversion.judged("", OTHER, ON_FILE, log).ruling is Ruling.HOLD_AND_CALL


def test_another_payee_or_portal_is_held_like_another_account():  # E32
    mail = "our receivables were sold to Norrin Factoring, use their portal from now on"
    found = diversion.judged(mail, ON_FILE, ON_FILE)
    assert found.ruling is Ruling.HOLD_AND_CALL
    assert found.signs == {Sign.PAYEE, Sign.PORTAL}


def test_an_ordinary_mail_to_the_account_on_file_raises_no_alarm():
    found = diversion.judged("Please find attached our invoice for April.", ON_FILE, ON_FILE)
    assert found == diversion.Judged(Ruling.RELEASE, frozenset())

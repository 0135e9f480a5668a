"""LedgerShield for TRL: looks, requests and the decision as tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from clients.trl.ledgershield_desk import Desk


class LedgerShield(Desk):
    """Buy evidence about an invoice, and pay, hold, review or escalate it.

    A row may say `seed`, `level` (easy, medium, hard), `family` (task_a to task_e), `case_id`, `track`.
    The blind track and easy generated cases are the default; equal seeds are equal cases in every rollout
    of a group. The reward is the sum of the steps' rewards; the decision carries most of it.
    """

    slug: ClassVar[str] = "ledgershield"
    columns: ClassVar[frozenset[str]] = frozenset({"seed", "case_id", "split", "level", "family", "track"})
    defaults: ClassVar[Mapping[str, Any]] = {"track": "blind", "level": "easy"}

    def zoom(self, doc_id: str, page: int | None = None, bbox: list[float] | None = None) -> str:
        """Enlarge a region of a page and read it exactly; up to an eighth of the page.

        Args:
            doc_id: One of the documents on the desk.
            page: Page of the document, from 1.
            bbox: Left, top, right and bottom of the region.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="zoom", doc_id=doc_id, page=page, bbox=bbox)

    def get_doc_crop(self, doc_id: str, page: int | None = None, bbox: list[float] | None = None) -> str:
        """Cut a region out of a page, to be cited; as large as a zoom's.

        Args:
            doc_id: One of the documents on the desk.
            page: Page of the document, from 1.
            bbox: Left, top, right and bottom of the region.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="get_doc_crop", doc_id=doc_id, page=page, bbox=bbox)

    def ocr(
        self, doc_id: str, mode: str | None = None, page: int | None = None, bbox: list[float] | None = None
    ) -> str:
        """Read a page or a region by machine; fast drops and misreads words.

        Args:
            doc_id: One of the documents on the desk.
            mode: How carefully (choices: ["fast", "accurate"])
            page: Page of the document, from 1.
            bbox: Left, top, right and bottom of the region.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="ocr", doc_id=doc_id, mode=mode, page=page, bbox=bbox)

    def lookup_vendor(self, vendor_key: str) -> str:
        """Open the vendor's master record.

        Args:
            vendor_key: The vendor's name on the invoice as a slug.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="lookup_vendor", vendor_key=vendor_key)

    def lookup_vendor_history(self, vendor_key: str) -> str:
        """Open what was changed in the vendor's record, and when.

        Args:
            vendor_key: The vendor's name on the invoice as a slug.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="lookup_vendor_history", vendor_key=vendor_key)

    def lookup_policy(self, rule_id: str | None = None) -> str:
        """Read the payment policy, or one rule of it.

        Args:
            rule_id: One rule; all without it.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="lookup_policy", rule_id=rule_id)

    def lookup_po(self, po_id: str) -> str:
        """Open a purchase order with what was billed on it.

        Args:
            po_id: The order that the invoice names.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="lookup_po", po_id=po_id)

    def lookup_receipt(self, receipt_id: str) -> str:
        """Open a goods receipt beside what was billed.

        Args:
            receipt_id: The receipt that the invoice names.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="lookup_receipt", receipt_id=receipt_id)

    def search_ledger(
        self, vendor_key: str | None = None, invoice_number: str | None = None, amount: float | None = None
    ) -> str:
        """Search the invoices on file; vendor, number and amount together find a repeat.

        Args:
            vendor_key: The vendor's name on the invoice as a slug.
            invoice_number: The invoice's number.
            amount: The invoice's total.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(
            action_type="search_ledger", vendor_key=vendor_key, invoice_number=invoice_number, amount=amount
        )

    def inspect_email_thread(self, thread_id: str) -> str:
        """Open an e-mail thread with its headers.

        Args:
            thread_id: The thread of the inbox.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(action_type="inspect_email_thread", thread_id=thread_id)

    def compare_bank_account(self, vendor_key: str, proposed_bank_account: str) -> str:
        """Compare an account number with those on file for a vendor.

        Args:
            vendor_key: The vendor's name on the invoice as a slug.
            proposed_bank_account: The account that the invoice asks to pay to.

        Returns:
            The case one step later, with what was found.
        """
        return self._play(
            action_type="compare_bank_account",
            vendor_key=vendor_key,
            proposed_bank_account=proposed_bank_account,
        )

    def submit_decision(
        self,
        decision: str | None = None,
        confidence: float | None = None,
        predicted_probabilities: dict[str, float] | None = None,
        reason_codes: list[str] | None = None,
        policy_checks: dict[str, str] | None = None,
        evidence_map: dict[str, Any] | None = None,
        discrepancies: list[str] | None = None,
        duplicate_links: list[str] | None = None,
        fraud_flags: list[str] | None = None,
        campaign_links: list[str] | None = None,
        counterfactual: str | None = None,
        extracted_fields: dict[str, str] | None = None,
        line_items: list[dict[str, Any]] | None = None,
    ) -> str:
        """Decide and end the case. Task A takes fields and lines, the others a decision.

        Args:
            decision: What becomes of the invoice (choices: ["PAY", "HOLD", "NEEDS_REVIEW", "ESCALATE_FRAUD"])
            confidence: How likely the decision is right, from 0 to 1.
            predicted_probabilities: Probability of each hypothesis; they sum to 1.
            reason_codes: Why, as risk signals.
            policy_checks: Outcome of each policy check: pass, fail or unknown.
            evidence_map: For each reason or field where it is seen, e.g. its artifact_id.
            discrepancies: Task B: what does not match, as risk signals.
            duplicate_links: Task C: entries of the ledger that this repeats.
            fraud_flags: Tasks C and E: signs of fraud, as risk signals.
            campaign_links: Task E: documents that belong to the first.
            counterfactual: Which finding, had it been otherwise, would have changed what.
            extracted_fields: Task A: fields of the invoice as text.
            line_items: Task A: lines with description, quantity, unit_price and total.

        Returns:
            What was behind the case.
        """
        return self._play(
            action_type="submit_decision",
            decision=decision,
            confidence=confidence,
            predicted_probabilities=predicted_probabilities,
            reason_codes=reason_codes,
            policy_checks=policy_checks,
            evidence_map=evidence_map,
            discrepancies=discrepancies,
            duplicate_links=duplicate_links,
            fraud_flags=fraud_flags,
            campaign_links=campaign_links,
            counterfactual=counterfactual,
            extracted_fields=extracted_fields,
            line_items=line_items,
        )

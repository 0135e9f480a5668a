"""LedgerShield for TRL: what an analyst can ask of others and do to a vendor, as tools."""

from __future__ import annotations

from clients.trl.rollout import Rollout


class Desk(Rollout):
    """The part of a case that is not done by looking."""

    def request_callback_verification(self, contact: str | None = None) -> str:
        """Have somebody call the vendor; the answer comes later.

        Args:
            contact: Whose number, that on file or that of the mail (choices: ["master_file", "request"])

        Returns:
            The case one step later.
        """
        return self._play(action_type="request_callback_verification", contact=contact)

    def freeze_vendor_profile(self) -> str:
        """Stop changes and payments of this vendor.

        Returns:
            The case one step later.
        """
        return self._play(action_type="freeze_vendor_profile")

    def request_bank_change_approval_chain(self) -> str:
        """Ask who approved the vendor's account; the answer comes later.

        Returns:
            The case one step later.
        """
        return self._play(action_type="request_bank_change_approval_chain")

    def request_po_reconciliation(self) -> str:
        """Have order and invoice reconciled; the answer comes later.

        Returns:
            The case one step later.
        """
        return self._play(action_type="request_po_reconciliation")

    def request_additional_receipt_evidence(self) -> str:
        """Ask the warehouse what it received; the answer comes later.

        Returns:
            The case one step later.
        """
        return self._play(action_type="request_additional_receipt_evidence")

    def route_to_procurement(self) -> str:
        """Tell procurement.

        Returns:
            The case one step later.
        """
        return self._play(action_type="route_to_procurement")

    def route_to_security(self) -> str:
        """Tell security.

        Returns:
            The case one step later.
        """
        return self._play(action_type="route_to_security")

    def flag_duplicate_cluster_review(self) -> str:
        """Have look-alike invoices reviewed; the report comes later.

        Returns:
            The case one step later.
        """
        return self._play(action_type="flag_duplicate_cluster_review")

    def create_human_handoff(self) -> str:
        """Write up the case for a colleague.

        Returns:
            The case one step later.
        """
        return self._play(action_type="create_human_handoff")

/// What the console can show and do of provisioning: the part of a back office that belongs to the issuer's host.
///
/// A review's end takes two persons and is an action of the ``ApprovalQueue`` instead, of the kind `provisioning-review`: its subject
/// is the review, its detail `{"outcome":"approve|refuse","remark"}`. Whoever acts is named, and written to the trail together with the
/// remark. What cannot be done is thrown as ``ServerError``.
package protocol ProvisioningDesk: Sendable {
    func overview() async throws -> ProvisioningOverview
    /// `nil` where the issuer has no card of that id.
    func card(_ id: String) async throws -> ProvisioningCardView?
    /// Offers the wallet to the customers of a programme, or stops doing so; what was provisioned stays as it is. Returns false
    /// where the issuer has no programme of that id.
    func switchProgramme(_ id: String, on: Bool, remark: String, by person: String) async throws -> Bool
    /// Returns false where the issuer has no card of that id.
    func switchCard(_ id: String, on: Bool, remark: String, by person: String) async throws -> Bool
    /// Puts a card and a secure element on the list, or takes them off; doing so twice is doing so once. Returns false where the
    /// issuer has no card of that id.
    func allow(_ isAllowed: Bool, card: String, secureElement: String, remark: String, by person: String) async throws -> Bool
    /// Tells the network what to do with a token, through the outbox. Returns false where the issuer knows no such token.
    func act(_ action: ProvisioningAction, on token: String, reason: ProvisioningActionReason, by person: String) async throws -> Bool
    /// Gives the card a new number, which its tokens follow. Returns false where the issuer has no card of that id.
    func replaceCard(_ id: String, remark: String, by person: String) async throws -> Bool
    /// Tokens that the bank wanted stopped and that their networks have not stopped, newest first.
    func failedStops() async throws -> [ProvisioningOverview.Stop]
    /// Ends the alarm of a stop, or asks the network for it once more. Returns false where no such alarm is open.
    func resolveStop(_ id: String, retry: Bool, remark: String, by person: String) async throws -> Bool
    /// Suspends every token in the secure element, and keeps new ones out of it. Returns how many are being suspended or deleted: none is no
    /// failure, for the report counts all the same.
    func reportLost(secureElement: String, by person: String) async throws -> Int
    /// Ends a loss: the secure element takes new tokens again. Returns false where it does not count as lost.
    func reportFound(secureElement: String, remark: String, by person: String) async throws -> Bool
}

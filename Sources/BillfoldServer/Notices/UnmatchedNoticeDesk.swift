package import BillfoldWeb

/// What the console can show of verified notices about things that the books of a server do not know. Settling one takes two persons: it is
/// an action of the ``ApprovalQueue`` (``UnmatchedNoticeOffice``).
package protocol UnmatchedNoticeDesk: Sendable {
    /// Open notices, oldest first: of very many those of each source that came first and last.
    func unmatchedNotices() async throws -> [UnmatchedNoticeView]
    /// How many are open in all.
    func openUnmatchedNotices() async throws -> Int64
}

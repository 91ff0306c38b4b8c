public import BillfoldWeb

/// What the console can show of verified notices about things that the books of a server do not know. Settling one takes two persons: it is
/// an action of the ``ApprovalQueue`` (``UnmatchedNoticeOffice``).
public protocol UnmatchedNoticeDesk: Sendable {
    /// The open notices, oldest first.
    func unmatchedNotices() async throws -> [AlarmList.Unmatched]
}

/// What a key may still be used for.
public enum KeyState: String, Sendable, Codable, CaseIterable {
    /// New messages are made with it, and received ones opened with it. A ring has one at most.
    case active
    /// Received messages are still opened with it while its successor spreads; nothing new is made with it.
    case old
    /// It is refused; only its name and dates are kept.
    case retired
}

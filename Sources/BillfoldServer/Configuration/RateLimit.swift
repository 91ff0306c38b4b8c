/// How many requests one caller may make.
public struct RateLimit: Sendable, Hashable {
    package var perSecond: Int
    package var burst: Int

    /// - Parameters:
    ///   - perSecond: How many are let through in the long run; less than one counts as one.
    ///   - burst: How many may come at once after a pause.
    public init(perSecond: Int, burst: Int) {
        self.perSecond = max(1, perSecond)
        self.burst = max(1, burst)
    }
}

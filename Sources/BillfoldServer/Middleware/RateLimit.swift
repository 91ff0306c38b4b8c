/// How many requests one caller may make.
public struct RateLimit: Sendable, Hashable {
    public var perSecond: Int
    /// How many may come at once after a pause.
    public var burst: Int

    public init(perSecond: Int, burst: Int) {
        self.perSecond = max(1, perSecond)
        self.burst = max(1, burst)
    }
}

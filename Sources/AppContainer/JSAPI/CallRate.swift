/// How many calls a mini program may make: a bucket that fills steadily. Ten thousand calls in a second cost the host nothing but the
/// counting.
struct CallRate {
    private let perSecond: Double
    private let burst: Double
    private var left: Double
    private var last: Double?

    init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
        left = Double(burst)
    }

    /// - Parameter now: Milliseconds; a clock that goes back gives nothing.
    mutating func takes(at now: Double) -> Bool {
        if let last, now > last { left = min(burst, left + (now - last) / 1000 * perSecond) }
        last = max(now, last ?? now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}

/// From where on a fact becomes a reason (provisioning.md#reasons [O]). Times in seconds.
public struct ReasonThresholds: Sendable, Hashable {
    private static let day = 86_400
    private static let hour = 3_600

    /// 01 and 02: an account this old or younger.
    public var accountAge = 40 * day
    /// 03: a pair of account and card younger than this.
    public var accountCardAge = 20 * day
    /// 04: settings changed within this time.
    public var accountChange = 20 * day
    /// 06: no activity for this long.
    public var inactivity = 365 * day
    /// 08: lost mode within this time…
    public var lostWithin = 7 * day
    /// …for longer than this.
    public var lostFor = hour
    /// 09: more attempts of this card on this device than this, within ``attemptWindow``.
    public var attempts = 3
    public var attemptWindow = 72 * hour
    /// 0A: more different cards on this device than this, within ``cardWindow``.
    public var cards = 5
    public var cardWindow = 24 * hour
    /// 0B: more distinct cardholder names than this.
    public var cardholderNames = 2
    /// 0C, 0D and 0H: a score below these.
    public var deviceScore = 3
    public var accountScore = 4
    public var phoneNumberScore = 3

    public init() {}
}

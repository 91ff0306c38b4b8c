/// Which whole number stands for one that lies between two.
public enum Rounding: String, Sendable, Hashable, Codable, CaseIterable {
    /// To the nearest; from the middle to the even neighbour, so that many roundings do not drift.
    case halfEven
    /// To the nearest; from the middle away from zero, as invoices usually ask.
    case halfUp
    /// Towards minus infinity.
    case down
    /// Towards plus infinity.
    case up
    /// To the neighbour that is nearer to zero.
    case towardZero
    /// To the neighbour that is farther from zero.
    case awayFromZero

    /// Divides exactly, then rounds once. `divisor` is greater than zero.
    func divide(_ dividend: WideInteger, by divisor: WideInteger) -> WideInteger {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        guard remainder != 0 else { return quotient }
        let outward: WideInteger = dividend < 0 ? -1 : 1
        let rest = remainder.magnitude
        let gap = divisor.magnitude - rest
        let moves: Bool
        switch self {
        case .halfEven: moves = rest > gap || (rest == gap && quotient % 2 != 0)
        case .halfUp: moves = rest >= gap
        case .down: moves = dividend < 0
        case .up: moves = dividend > 0
        case .towardZero: moves = false
        case .awayFromZero: moves = true
        }
        return moves ? quotient + outward : quotient
    }
}

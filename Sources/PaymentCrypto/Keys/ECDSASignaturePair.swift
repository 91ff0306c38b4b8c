/// The two forms of an ECDSA signature: DER `SEQUENCE { r, s }`, and the plain pair r‖s (IEEE P1363).
public enum ECDSASignaturePair {
    /// Turns strict DER into the pair; nil when it is not the one DER form of two positive numbers that fit.
    public static func raw(der: [UInt8], coordinateSize: Int) -> [UInt8]? {
        var outer = BERReader(der, rules: .der)
        guard var pair = try? outer.enter(0x30, "signature"), outer.isAtEnd,
            let r = try? pair.nextInteger("r"), let s = try? pair.nextInteger("s"), pair.isAtEnd,
            let left = padded(r, to: coordinateSize), let right = padded(s, to: coordinateSize)
        else { return nil }
        return left + right
    }

    /// Turns the pair into DER; nil when its length is not even or zero.
    public static func der(raw: [UInt8]) -> [UInt8]? {
        guard !raw.isEmpty, raw.count.isMultiple(of: 2) else { return nil }
        let half = raw.count / 2
        return DERWriter.sequence(
            DERWriter.integer(magnitude: raw[..<half]), DERWriter.integer(magnitude: raw[half...]))
    }

    private static func padded(_ integer: ArraySlice<UInt8>, to size: Int) -> [UInt8]? {
        guard let first = integer.first, first < 0x80 else { return nil }
        let magnitude = first == 0 ? integer.dropFirst() : integer
        guard !magnitude.isEmpty, magnitude.count <= size else { return nil }
        return [UInt8](repeating: 0, count: size - magnitude.count) + magnitude
    }
}

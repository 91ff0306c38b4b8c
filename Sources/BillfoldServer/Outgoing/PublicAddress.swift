/// Tells addresses of the public Internet from all others (IANA special-purpose registries, RFC 6890 and its successors).
enum PublicAddress {
    static func isPublic(v4 octets: [UInt8]) -> Bool {
        guard octets.count == 4 else { return false }
        let (a, b, c) = (octets[0], octets[1], octets[2])
        switch a {
        case 0, 10, 127, 224...255: return false
        case 100: return !(64...127).contains(b)
        case 169: return b != 254
        case 172: return !(16...31).contains(b)
        case 192: return !(b == 168 || (b == 0 && (c == 0 || c == 2)) || (b == 88 && c == 99))
        case 198: return !(b == 18 || b == 19 || (b == 51 && c == 100))
        case 203: return !(b == 0 && c == 113)
        default: return true
        }
    }

    /// Only global unicast (2000::/3), without the blocks inside it that carry another address or lead nowhere: Teredo and its
    /// neighbours (2001::/23), documentation (2001:db8::/32, 3fff::/20), 6to4 (2002::/16).
    static func isPublic(v6 octets: [UInt8]) -> Bool {
        guard octets.count == 16, octets[0] & 0xe0 == 0x20 else { return false }
        let first = UInt16(octets[0]) << 8 | UInt16(octets[1])
        let second = UInt16(octets[2]) << 8 | UInt16(octets[3])
        switch first {
        case 0x2001: return second >= 0x0200 && second != 0x0db8
        case 0x2002: return false
        case 0x3fff: return second >= 0x1000
        default: return true
        }
    }
}

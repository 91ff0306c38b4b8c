/// One request and its answer, named by whoever asked, so that the trace holds each message once.
///
/// A caller that reports an exchange says so in the request header ``headerName``, whose value is the id of the request's entry.
/// A receiver that finds a well-formed name there does not report request and answer again; it still reports what it alone can
/// see, as a note. Servers honour the header in test mode only: in production a stranger must not be able to keep a message out
/// of the trace.
public enum Exchange {
    public static let headerName = "Billfold-Exchange"

    /// The name of the exchange that this task is about to begin and has reported; connections put it into the header.
    @TaskLocal public static var reported: String?

    /// Whether a header's value names an exchange: 1 to 64 letters, digits, `-` or `_`. Anything else is as good as no header.
    public static func isName(_ value: String?) -> Bool {
        guard let value, (1...64).contains(value.utf8.count) else { return false }
        return value.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
            default: false
            }
        }
    }
}

/// One name of the subjectAlternativeName extension.
public enum SubjectAlternativeName: Sendable, Hashable {
    case dnsName(String)
    case emailAddress(String)
    case uri(String)
    /// Four or sixteen bytes.
    case ipAddress([UInt8])
    /// Another kind, by the number of its context tag.
    case other(tag: UInt8, [UInt8])

    static func names(in value: [UInt8]) throws(PaymentCryptoError) -> [SubjectAlternativeName] {
        var outer = BERReader(value, rules: .der)
        var list = try outer.enter(0x30, "alternative names")
        try outer.requireEnd("alternative names")
        var names = [SubjectAlternativeName]()
        while !list.isAtEnd {
            let element = try list.next()
            let content = Array(list.slice(element.content))
            let text = String(decoding: content, as: UTF8.self)
            switch element.tag {
            case 0x81: names.append(.emailAddress(text))
            case 0x82: names.append(.dnsName(text))
            case 0x86: names.append(.uri(text))
            case 0x87: names.append(.ipAddress(content))
            default: names.append(.other(tag: element.tag & 0x1F, content))
            }
        }
        return names
    }
}

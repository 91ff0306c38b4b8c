import AlipayPlus
import BillfoldServer
import HTTPTypes

extension HTTPFields {
    /// The headers of an envelope, each name made once: making one looks at all its letters.
    private static let names = Dictionary(
        uniqueKeysWithValues: [
            AlipayPlusHeaders.clientID, AlipayPlusHeaders.signature, AlipayPlusHeaders.Kind.request.timeName,
            AlipayPlusHeaders.Kind.answer.timeName,
        ].compactMap { name in HTTPField.Name(name).map { (name, $0) } })

    /// A field by the name that the envelope has for it.
    subscript(wire name: String) -> String? {
        get {
            (Self.names[name] ?? HTTPField.Name(name)).flatMap(value(of:))
        }
        set { if let name = Self.names[name] ?? HTTPField.Name(name) { self[name] = newValue } }
    }
}

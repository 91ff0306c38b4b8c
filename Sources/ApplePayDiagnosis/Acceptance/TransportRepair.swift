import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import PaymentCrypto

/// Undoes what proxies, form encoders and JSON libraries are known to do to a token, one named step at a time.
///
/// A repair is a hypothesis: the diagnostician reports it only when the repaired token's digest is the signed one.
struct TransportRepair {
    /// One change that was undone.
    struct Change: Hashable {
        enum Kind: String {
            case spaceForPlus = "plus sign became a space"
            case escapedSlash = "slash carries a backslash"
            case newline = "line break inside base64"
            case urlSafeAlphabet = "URL-safe alphabet"
            case paddingLost = "padding lost"
            case jsonInText = "JSON inside a JSON string"
            case byteOrderMark = "byte order mark"
            case percentEncoded = "percent-encoded"
            case base64Twice = "base64 of base64"
            case formField = "field of a form"
            case base64Body = "base64 instead of the bytes"
            case htmlEscaped = "entities of HTML, &quot; for a quotation mark"
            case hexText = "hexadecimal text of the bytes, as a description prints them"
        }

        var kind: Kind
        var field: String
    }

    let token: PaymentToken
    let changes: [Change]

    /// Tries to repair bytes that `PaymentToken` refused; nil when no known damage explains them.
    init?(_ bytes: [UInt8]) {
        var changes: [Change] = []
        guard var outer = Self.body(bytes, &changes) else { return nil }
        switch outer["paymentData"] {
        case .object(var payment)?:
            Self.mend(&payment, &changes)
            outer["paymentData"] = .object(payment)
        case .string(let text)?:
            guard let payment = Self.paymentData(text, &changes) else { return nil }
            outer["paymentData"] = .object(payment)
        case nil: Self.mend(&outer, &changes)
        default: return nil
        }
        guard !changes.isEmpty, let token = try? PaymentToken(JSONWriter.write(outer), maximumBytes: SheetSession.byteLimit) else {
            return nil
        }
        self.token = token
        self.changes = changes
    }

    /// The object of the body: JSON, JSON in a JSON string, the field of a form, or base64 of any of them.
    private static func body(_ bytes: [UInt8], _ changes: inout [Change]) -> JSONObject? {
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes.removeFirst(3)
            changes.append(Change(kind: .byteOrderMark, field: "body"))
        }
        let field = Array("paymentData=".utf8)
        if bytes.starts(with: field), let decoded = percentDecoded(bytes[field.count...].prefix { $0 != UInt8(ascii: "&") }) {
            bytes = decoded
            changes.append(Change(kind: .formField, field: "body"))
        } else if bytes.first == UInt8(ascii: "%"), let decoded = percentDecoded(bytes[...]) {
            bytes = decoded
            changes.append(Change(kind: .percentEncoded, field: "body"))
        }
        if bytes.firstRange(of: Array("&quot;".utf8)) != nil {
            bytes = Array(HTMLEntities.unescape(String(decoding: bytes, as: UTF8.self)).utf8)
            changes.append(Change(kind: .htmlEscaped, field: "body"))
        } else if let decoded = hexText(bytes) {
            bytes = decoded
            changes.append(Change(kind: .hexText, field: "body"))
        }
        if let object = object(bytes, field: "body", noting: &changes) { return object }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        var attempt = changes
        // What cannot be base64 of an object is not worth mending.
        guard text.first == "e" else { return nil }
        mend(&text, field: "body", noting: &attempt)
        attempt.append(Change(kind: .base64Body, field: "body"))
        guard let decoded = try? StrictBase64.decode(text), let object = object(decoded, field: "body", noting: &attempt) else {
            return nil
        }
        changes = attempt
        return object
    }

    /// The object inside the outer object's text: base64 of it, or its JSON.
    private static func paymentData(_ text: String, _ changes: inout [Change]) -> JSONObject? {
        var payment: JSONObject
        if let object = object(Array(text.utf8), field: "paymentData", noting: &changes) {
            payment = object
            changes.append(Change(kind: .jsonInText, field: "paymentData"))
        } else {
            var text = text
            if (try? StrictBase64.decode(text)) == nil { mend(&text, field: "paymentData", noting: &changes) }
            guard let decoded = try? StrictBase64.decode(text), let object = object(decoded, field: "paymentData", noting: &changes) else {
                return nil
            }
            payment = object
        }
        mend(&payment, &changes)
        return payment
    }

    /// Reads an object, or one that stands in a JSON string; raw line breaks are dropped where they stand in a string.
    private static func object(_ bytes: [UInt8], field: String, noting changes: inout [Change]) -> JSONObject? {
        let (joined, hadNewline) = withoutRawNewlines(bytes)
        guard let value = try? ApplePayJSON.read(joined, maximumBytes: SheetSession.byteLimit) else { return nil }
        var found: [Change] = hadNewline ? [Change(kind: .newline, field: field)] : []
        var object = value.object
        if case .string(let inner) = value {
            object = try? ApplePayJSON.readObject(Array(inner.utf8), maximumBytes: SheetSession.byteLimit)
            found.append(Change(kind: .jsonInText, field: field))
        }
        if object != nil { changes += found }
        return object
    }

    private static func mend(_ payment: inout JSONObject, _ changes: inout [Change]) {
        mend(&payment, keys: ["data", "signature"], prefix: "", noting: &changes)
        guard var header = payment["header"]?.object else { return }
        mend(&header, keys: ["ephemeralPublicKey", "wrappedKey", "publicKeyHash"], prefix: "header.", noting: &changes)
        payment["header"] = .object(header)
    }

    private static func mend(_ object: inout JSONObject, keys: [String], prefix: String, noting changes: inout [Change]) {
        for key in keys {
            guard var text = object[key]?.string else { continue }
            mend(&text, field: prefix + key, noting: &changes)
            object[key] = .string(text)
        }
    }

    private static func mend(_ text: inout String, field: String, noting changes: inout [Change]) {
        func replace(_ kind: Change.Kind, where damaged: (Character) -> Bool, with replacement: (Character) -> String) {
            guard text.contains(where: damaged) else { return }
            text = text.map { damaged($0) ? replacement($0) : String($0) }.joined()
            changes.append(Change(kind: kind, field: field))
        }
        replace(.newline, where: { $0.isNewline }, with: { _ in "" })
        replace(.escapedSlash, where: { $0 == "\\" }, with: { _ in "" })
        replace(.spaceForPlus, where: { $0 == " " }, with: { _ in "+" })
        replace(.urlSafeAlphabet, where: { $0 == "-" || $0 == "_" }, with: { $0 == "-" ? "+" : "/" })
        if text.contains("%"), let decoded = percentDecoded(Array(text.utf8)[...]) {
            text = String(decoding: decoded, as: UTF8.self)
            changes.append(Change(kind: .percentEncoded, field: field))
        }
        if text.utf8.last != UInt8(ascii: "="), [2, 3].contains(text.utf8.count % 4) {
            text += String(repeating: "=", count: 4 - text.utf8.count % 4)
            changes.append(Change(kind: .paddingLost, field: field))
        }
        if let inner = try? StrictBase64.decode(text), field == "signature" ? inner.starts(with: Array("MI".utf8)) : isBase64Text(inner) {
            text = String(decoding: inner, as: UTF8.self)
            changes.append(Change(kind: .base64Twice, field: field))
        }
    }

    /// Whether bytes are letters of base64 alone, which ciphertext, keys and hashes are not by accident.
    static func isBase64Text(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 40 && bytes.count.isMultiple(of: 4)
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
                default: false
                }
            }
    }

    /// The object whose bytes are printed as digits: `<7b226461 …>`, or without the brackets.
    private static func hexText(_ bytes: [UInt8]) -> [UInt8]? {
        let digits = bytes.filter { $0 > 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        guard digits.starts(with: Array("7b".utf8)) || digits.starts(with: Array("7B".utf8)) else { return nil }
        return try? Hexadecimal.decode(String(decoding: digits, as: UTF8.self))
    }

    /// Drops raw line breaks inside JSON strings, which strict JSON forbids.
    private static func withoutRawNewlines(_ bytes: [UInt8]) -> ([UInt8], Bool) {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var inString = false
        var escaped = false
        for byte in bytes {
            if inString, byte == 0x0A || byte == 0x0D { continue }
            output.append(byte)
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\"), inString {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString.toggle()
            }
        }
        return (output, output.count != bytes.count)
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // A sign in front would be read as part of the number.
            guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            output.append(decoded)
            rest = rest.dropFirst(2)
        }
        return output
    }
}

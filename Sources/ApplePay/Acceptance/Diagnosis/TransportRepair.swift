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
        }

        var kind: Kind
        var field: String
    }

    let token: PaymentToken
    let changes: [Change]

    /// Tries to repair bytes that ``PaymentToken`` refused; nil when no known damage explains them.
    init?(_ bytes: [UInt8]) {
        var changes: [Change] = []
        var text = bytes
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            text.removeFirst(3)
            changes.append(Change(kind: .byteOrderMark, field: "body"))
        }
        if text.first == UInt8(ascii: "%"), let decoded = Self.percentDecoded(text) {
            text = decoded
            changes.append(Change(kind: .percentEncoded, field: "body"))
        }
        let (joined, hadNewline) = Self.withoutRawNewlines(text)
        text = joined
        guard var value = try? JSONReader.read(text) else { return nil }
        if case .string(let inner) = value, let object = try? JSONReader.readObject(Array(inner.utf8)) {
            value = .object(object)
            changes.append(Change(kind: .jsonInText, field: "body"))
        }
        guard var outer = value.object else { return nil }
        if case .string(let inner)? = outer["paymentData"], let object = try? JSONReader.readObject(Array(inner.utf8)) {
            outer["paymentData"] = .object(object)
            changes.append(Change(kind: .jsonInText, field: "paymentData"))
        } else if case .string(let inner)? = outer["paymentData"], inner.utf8.first != UInt8(ascii: "e") {
            var field = inner
            Self.mend(&field, "paymentData", &changes)
            outer["paymentData"] = .string(field)
        }
        let isOuter = outer["paymentData"]?.object != nil
        var payment = outer["paymentData"]?.object ?? outer
        Self.mend(&payment, ["data", "signature"], prefix: "", &changes)
        if var header = payment["header"]?.object {
            Self.mend(&header, ["ephemeralPublicKey", "wrappedKey", "publicKeyHash"], prefix: "header.", &changes)
            payment["header"] = .object(header)
        }
        if isOuter { outer["paymentData"] = .object(payment) } else { outer = payment }
        if hadNewline, !changes.contains(where: { $0.kind == .newline }) { changes.append(Change(kind: .newline, field: "body")) }
        guard !changes.isEmpty, let token = try? PaymentToken(JSONWriter.write(outer)) else { return nil }
        self.token = token
        self.changes = changes
    }

    private static func mend(_ object: inout JSONObject, _ keys: [String], prefix: String, _ changes: inout [Change]) {
        for key in keys {
            guard var text = object[key]?.string else { continue }
            mend(&text, prefix + key, &changes)
            object[key] = .string(text)
        }
    }

    private static func mend(_ text: inout String, _ field: String, _ changes: inout [Change]) {
        func replace(_ kind: Change.Kind, _ damaged: (Character) -> Bool, _ replacement: (Character) -> String) {
            guard text.contains(where: damaged) else { return }
            text = text.map { damaged($0) ? replacement($0) : String($0) }.joined()
            changes.append(Change(kind: kind, field: field))
        }
        replace(.newline, { $0.isNewline }, { _ in "" })
        replace(.escapedSlash, { $0 == "\\" }, { _ in "" })
        replace(.spaceForPlus, { $0 == " " }, { _ in "+" })
        replace(.urlSafeAlphabet, { $0 == "-" || $0 == "_" }, { $0 == "-" ? "+" : "/" })
        if text.contains("%"), let decoded = percentDecoded(Array(text.utf8)) {
            text = String(decoding: decoded, as: UTF8.self)
            changes.append(Change(kind: .percentEncoded, field: field))
        }
        if text.utf8.last != UInt8(ascii: "="), [2, 3].contains(text.utf8.count % 4) {
            text += String(repeating: "=", count: 4 - text.utf8.count % 4)
            changes.append(Change(kind: .paddingLost, field: field))
        }
        if field == "signature", let inner = try? TokenField.base64(text, field), inner.starts(with: Array("MI".utf8)) {
            text = String(decoding: inner, as: UTF8.self)
            changes.append(Change(kind: .base64Twice, field: field))
        }
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

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let decoded = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
                else { return nil }
                output.append(decoded)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }
}

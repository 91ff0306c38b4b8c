import Testing

/// A type's name says what it is to a reader who meets it beside others.
struct NameTests {
    /// The names that types of two targets have, and why they may. The list only gets shorter.
    private static let shared: Set = [
        // Messages of two protocols, each named as its documents name it.
        "ApplyTokenAnswer", "ApplyTokenRequest", "MerchantID", "PrepareRequest", "RefundRequest", "TransactionType",
        // Two ends of one message: an app and a server, or a server and a played party, share no code.
        "AlipayPlusLine", "FieldError", "IdempotencyKey", "PaymentAnswer", "VerificationMethod",
        // The same part of two servers of one shape, which never see each other.
        "FrozenNotification", "NotificationComposer", "NotificationRecords", "NotificationRow", "RefundRecords", "RequestReader",
        "SessionRecords",
        // The same idea of two protocols or doctors, which never see each other.
        "Exhibit", "MessageCopy", "RequestRule", "SM2SignatureForm", "SigningDraft", "SigningSlip",
    ]
    /// How many types are called a desk, which is what the console shows and does for one server. The number only ever falls.
    private static let desks = 7

    @Test func fewTypesOfTwoTargetsShareAName() {
        let found = Self.targets.filter { $0.value.count > 1 }
        for (name, targets) in found where !Self.shared.contains(name) {
            Issue.record("\(name) is a type of \(targets.sorted().joined(separator: " and of "))")
        }
        let told = Self.shared.subtracting(found.keys)
        #expect(told.isEmpty, "one target alone has \(told.sorted().joined(separator: ", ")): take it off the list")
    }

    @Test func aDeskIsTheConsoles() {
        let found = Self.targets.keys.filter { $0.hasSuffix("Desk") }.sorted()
        #expect(found.count <= Self.desks, "the console has no such desk, or one too many: \(found.joined(separator: ", "))")
        #expect(found.count >= Self.desks, "only \(found.count) types are called a desk: lower the known number")
    }

    /// Three systems are a gateway: UnionPay's, the order gateway and the acquiring gateway.
    @Test func aGatewaysNameSaysWhoseItIs() {
        let found = Self.targets.keys.filter { $0.hasPrefix("Gateway") }.sorted()
        #expect(found.isEmpty, "whose gateway is it? \(found.joined(separator: ", "))")
    }

    @Test func typesOfATargetAreFound() {
        let code = "@frozen package enum Sheet {\n    struct Part {}\n}\npublic final class Order {}\nprivate struct Key {}\n// struct Note"
        #expect(Self.types(of: Sources.File(path: "Sources/Toy/Toy.swift", text: code)) == ["Sheet", "Order"])
    }

    /// The targets that have a type of a name, on the top level of a file.
    private static let targets = Sources.swift.reduce(into: [String: Set<String>]()) { targets, file in
        for name in types(of: file) { targets[name, default: []].insert(file.target) }
    }

    private static func types(of file: Sources.File) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        return file.codeLines.compactMap { line in
            guard line.utf8.first != UInt8(ascii: " ") else { return nil }
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
            guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count, words[kind + 1] != "func",
                !words[..<kind].contains(where: { ["private", "fileprivate", "import", "extension", "func", "let", "var"].contains($0) })
            else { return nil }
            return String(words[kind + 1])
        }
    }
}

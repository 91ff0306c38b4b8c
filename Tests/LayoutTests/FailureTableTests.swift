import Foundation
import Testing

/// What the doctor says is in the tables of failures, in code and in the documents, and what the tables say is said.
///
/// Codes are read where they are written whole. Those that are put together of a prefix and another error's code are not among them.
struct FailureTableTests {
    struct Doctor: CustomTestStringConvertible, Sendable {
        var prefix: String
        /// Where its findings are made.
        var folders: [String]
        /// Its list of failures; none where the page alone has it.
        var list: String?
        /// The page of `docs/protocols` and its section.
        var page: String
        /// Whole codes that are no findings': kinds of artifacts, names of methods and hosts.
        var others: Set<String> = []
        var testDescription: String { prefix }
    }

    static let doctors = [
        Doctor(
            prefix: "alipay", folders: ["Sources/AlipayDiagnosis", "Sources/Alipay/Rules"],
            list: "Sources/AlipayDiagnosis/AlipayFailure.swift",
            page: "alipay.md", others: ["alipay.log", "alipay.message"]),
        Doctor(
            prefix: "alipay-plus", folders: ["Sources/AlipayPlusDiagnosis"], list: "Sources/AlipayPlusDiagnosis/AlipayPlusFailure.swift",
            page: "alipay-plus.md", others: ["alipay-plus.message", "alipay-plus.payment-data"]),
        Doctor(
            prefix: "apple-pay", folders: ["Sources/ApplePayDiagnosis/Acceptance"],
            list: "Sources/ApplePayDiagnosis/Acceptance/DiagnosedFailure.swift", page: "apple-pay.md",
            others: [
                "apple-pay.merchant", "apple-pay.merchant-session", "apple-pay.payload", "apple-pay.payment-request",
                "apple-pay.session-request", "apple-pay.token", "apple-pay.wrapper",
            ]),
        Doctor(
            prefix: "provisioning", folders: ["Sources/ApplePayDiagnosis/Provisioning"],
            list: "Sources/ApplePayDiagnosis/Provisioning/DiagnosedFailure+Provisioning.swift", page: "provisioning.md"),
        Doctor(
            prefix: "unionpay", folders: ["Sources/UnionPayDiagnosis"], list: nil, page: "apple-pay.md",
            others: ["unionpay.log", "unionpay.message", "unionpay.pfx"]),
    ]

    /// What its findings are called, with the prefix.
    private static func said(by doctor: Doctor) throws -> Set<String> {
        let whole = try Regex("\"(\(doctor.prefix)\\.[a-z0-9]+(?:[.-][a-z0-9]+)*)\"")
        let files = doctor.folders.flatMap { Sources.files(under: $0, endings: [".swift"]) }.filter { $0.path != doctor.list }
        var codes: Set<String> = []
        for file in files {
            let text = file.lines.filter { !$0.contains("///") }.joined(separator: "\n")
            codes.formUnion(text.matches(of: whole).compactMap { $0.output[1].substring.map(String.init) })
            guard doctor.prefix == "provisioning" else { continue }
            // Its helper puts the prefix in front.
            codes.formUnion(text.matches(of: /report\(\s*"([a-z0-9]+(?:[.-][a-z0-9]+)*)"/).map { "provisioning.\($0.output.1)" })
        }
        // A method's or a host's name has a dot more, and its last word is none of ours.
        let names: Set = ["alipay.com", "alipay.trade.app.pay"]
        return codes.subtracting(doctor.others).subtracting(names)
    }

    /// The codes of a list of failures, with the prefix.
    private static func listed(_ doctor: Doctor) throws -> [String] {
        guard let list = doctor.list else { return [] }
        let text = try #require(Sources.file(list)).text
        if doctor.prefix == "provisioning" {
            return text.matches(of: /row\("[^"]*", "([^"]+)"\)/).map { "provisioning.\($0.output.1)" }
        }
        return text.matches(of: /code: "([^"\\]+)"/).map { String($0.output.1) }
    }

    /// The names that stand in code type in a page's section of failures.
    private static func named(in page: String) throws -> Set<String> {
        let text = try #require(Sources.file("docs/protocols/\(page)")).text
        let section = try #require(text.components(separatedBy: "\n## Failures\n").dropFirst().first)
        let end = section.range(of: "\n## ")?.lowerBound ?? section.endIndex
        return Set(section[..<end].matches(of: /`([^`\n]+)`/).map { String($0.output.1) })
    }

    @Test(arguments: doctors) func everyCauseIsInTheTables(doctor: Doctor) throws {
        let said = try Self.said(by: doctor)
        let listed = try Self.listed(doctor)
        let named = try Self.named(in: doctor.page)
        #expect(said.count > 20, "\(said.sorted())")
        #expect(Set(listed).count > 20 || doctor.list == nil)
        for code in said.sorted() where doctor.list != nil {
            #expect(listed.contains(code), "\(code) is not in \(doctor.list ?? "")")
        }
        // A page may leave the prefix out.
        for code in said.union(listed).sorted() {
            let short = String(code.dropFirst(doctor.prefix.count + 1))
            #expect(named.contains(code) || named.contains(short), "\(code) is not among the failures of \(doctor.page)")
        }
    }
}

import Foundation
import Testing

/// Identifiers are compared by their bytes, as signatures cover them and stores keep them: `ExactText`, or a type whose texts are ASCII.
struct ExactTextTests {
    /// Two operands of which the first is named like an identifier, and the second is no literal.
    private static let rawComparison =
        #"\b\w*([rR]equestNo|[rR]equestID|[tT]radeNo|[oO]rderNumber|[rR]eference|[aA]ppID|[cC]lientID|[kK]eyID|[cC]ustomerID|[mM]erchantID"#
        + #"|[aA]cquirerID|[pP]aymentID|[wW]allet|[lL]anguage|outTradeNo)[\])?!]*\s(==|!=)\s(?!nil\b|[.0-9"])"#

    /// Raw comparisons that stay, by file: of values of types that hold ASCII alone, or of two texts that are both ours. A number here only
    /// ever falls.
    static let known = [
        "Sources/AlipayPlusDiagnosis/AlipayPlusDiagnostician.swift": 1,
        "Sources/AlipayPlusServer/Console/AlipayPlusBackOffice.swift": 1,
        "Sources/AlipayServer/Service/Link/WalletLinkService+Payments.swift": 1,
        "Sources/AlipayServer/Service/Link/WalletLinkService.swift": 2,
        "Sources/AlipayServer/Service/Link/WalletBooks.swift": 1,
        "Sources/BillfoldSandbox/AlipayMerchant/ExpressPhoneSession.swift": 1,
        "Sources/BillfoldSandbox/MiniProgramAuthor/AuthorProgram.swift": 1,
        "Sources/BillfoldSandbox/MiniProgramAuthor/AuthorService.swift": 1,
        "Sources/BillfoldSandbox/SuperApp/SuperAppPhone.swift": 1,
        "Sources/AlipayServer/Console/OrderGatewayBooksPage.swift": 1,
        "Sources/CardPaymentsServer/Service/Evidence/CardPaymentsService+Reconciliation.swift": 1,
        "Sources/CardPaymentsServer/Configuration/MerchantProfileRegister.swift": 2,
        "Sources/MiniProgramsDiagnosis/MiniProgramDiagnostician.swift": 2,
        "Sources/WalletAPI/Authorization/AuthorizationWorkflow.swift": 1,
        "Sources/billfold/Tour/AlipayTourSteps.swift": 1,
        "Sources/billfold/Tour/ProvisioningTourSteps.swift": 1,
    ]

    @Test func noNewIdentifierIsComparedByUnicodesRules() throws {
        let expression = try NSRegularExpression(pattern: Self.rawComparison)
        var found: [String: [Int]] = [:]
        for file in Sources.swift {
            for (number, line) in file.codeLines.enumerated()
            where expression.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil {
                found[file.path, default: []].append(number + 1)
            }
        }
        for (path, lines) in found {
            #expect(lines.count <= Self.known[path] ?? 0, "\(path):\(lines): compare identifiers with ExactText, or say here why not")
        }
        for (path, count) in Self.known {
            #expect(found[path]?.count ?? 0 == count, "\(path) has fewer raw comparisons than it is allowed: lower its number")
        }
    }
}

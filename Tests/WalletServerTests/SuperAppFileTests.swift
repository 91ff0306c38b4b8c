import BillfoldJSON
import MiniPrograms
import Testing

@testable import WalletServer

/// The file that a wallet is told to host mini programs by.
struct SuperAppFileTests {
    private static let whole = """
        {"origin":"https://wallet.example","name":"GCASH","scheme":"gcash","codeHost":"mp.wallet.example","keyVersion":3,
        "packageKeyId":"platform-2","scopes":[{"scope":"CARD_LIST","rule":"ask"},{"scope":"OWN_SCOPE","rule":"silent"}],
        "lifetimes":{"authCode":60,"accessToken":600,"refreshToken":1200},
        "workspaces":[{"workspaceId":"own","kind":"LOCAL_MINI_PROGRAM","name":"Own"}]}
        """

    @Test func everyFieldIsRead() throws {
        let file = try SuperAppFile(Array(Self.whole.utf8))
        #expect(file.origin == "https://wallet.example" && file.name == "GCASH" && file.scheme == "gcash")
        #expect(file.keyVersion == 3 && file.packageKeyID == "platform-2" && file.codeHost == "mp.wallet.example")
        #expect(file.lifetimes == TokenLifetimes(authCode: 60, accessToken: 600, refreshToken: 1_200))
        #expect(file.workspaces.map(\.id) == ["own"])
        // Rules stand over the usual ones.
        #expect(file.scopes["CARD_LIST"] == .ask && file.scopes["OWN_SCOPE"] == .silent && file.scopes["USER_NAME"] == .ask)
    }

    @Test func whatIsLeftOutHasAUsualValue() throws {
        let file = try SuperAppFile(
            Array(
                """
                {"origin":"https://wallet.example","name":"GCASH","scheme":"gcash","codeHost":"mp.wallet.example",
                "workspaces":[{"workspaceId":"own","kind":"ALIPAY_CONNECT","name":"Own"}]}
                """.utf8))
        #expect(file.keyVersion == 1 && file.packageKeyID == "platform-1")
        #expect(file.scopes == ScopePolicy.standard.rules && file.lifetimes == TokenLifetimes())
    }

    @Test(arguments: [
        (#""scheme":"gcash","#, "", "scheme"), (#""gcash""#, #""javascript""#, "scheme"),
        (#""keyVersion":3"#, #""keyVersion":"3""#, "keyVersion"), (#""rule":"ask""#, #""rule":"always""#, "scopes"),
        (#""accessToken":600"#, #""accessToken":0"#, "accessToken"), ("LOCAL_MINI_PROGRAM", "OTHER", "kind"),
        (#"[{"workspaceId":"own","kind":"LOCAL_MINI_PROGRAM","name":"Own"}]"#, "[]", "workspaces"),
        (#""name":"GCASH""#, #""colour":"red","name":"GCASH""#, "colour"),
    ])
    func whatIsWrongIsNamed(old: String, new: String, field: String) {
        let text = Self.whole.replacing(old, with: new)
        #expect(text != Self.whole)
        do {
            _ = try SuperAppFile(Array(text.utf8))
            Issue.record("it was taken: \(text)")
        } catch {
            #expect(error.code == .configurationInvalid && error.reason.contains(field), "\(error.reason)")
        }
    }
}

import BillfoldJSON
package import MiniPrograms

/// What a wallet needs to be told to host mini programs: one JSON object, read strictly.
///
/// `{"origin","name","scheme","codeHost","keyVersion"?,"packageKeyId"?,"scopes"?:[{"scope","rule"}],"lifetimes"?:{"authCode","accessToken",
/// "refreshToken"},"workspaces":[{"workspaceId","kind","name"}]}`. Rules stand over the usual ones; lifetimes are seconds. Authors and
/// clients are registered in the console, where it takes two persons.
package struct SuperAppFile: Sendable {
    /// The wallet's own origin, as containers and browsers reach it.
    package var origin: String
    /// As messages name the wallet in `customerBelongsTo`.
    package var name: String
    /// Of links that open mini programs in the wallet's app.
    package var scheme: String
    /// In codes that are printed.
    package var codeHost: String
    /// Of the key that answers are signed with.
    package var keyVersion: Int
    /// Of the key that packages and metadata are signed with.
    package var packageKeyID: String
    package var scopes: [String: ScopePolicy.Rule]
    package var lifetimes: TokenLifetimes
    package var workspaces: [MiniProgramWorkspace]

    /// Refuses with `configuration-invalid`, naming the field.
    package init(_ bytes: [UInt8]) throws(WalletError) {
        do throws(WalletError) {
            let reader = try SuperAppWish.Reader(
                bytes,
                allowing: ["origin", "name", "scheme", "codeHost", "keyVersion", "packageKeyId", "scopes", "lifetimes", "workspaces"])
            origin = try reader.text("origin", maximum: 256)
            name = try reader.text("name", maximum: 32)
            scheme = try reader.text("scheme", maximum: 64)
            codeHost = try reader.text("codeHost", maximum: 253)
            keyVersion = reader.object["keyVersion"] == nil ? 1 : Int(try reader.integer("keyVersion", in: 0...9_999))
            packageKeyID = try reader.optionalText("packageKeyId", maximum: 64) ?? "platform-1"
            scopes = try ScopePolicy.standard.rules.merging(SuperAppWish.scopes(reader)) { $1 }
            lifetimes = TokenLifetimes()
            if let item = try reader.object("lifetimes", allowing: ["authCode", "accessToken", "refreshToken"]) {
                let seconds: ClosedRange<Int64> = 1...1_000_000_000
                lifetimes = TokenLifetimes(
                    authCode: try item.integer("authCode", in: seconds), accessToken: try item.integer("accessToken", in: seconds),
                    refreshToken: try item.integer("refreshToken", in: seconds))
            }
            workspaces = []
            for item in try reader.objects("workspaces", maximum: 16, allowing: SuperAppWish.workspaceMembers) {
                workspaces.append(try SuperAppWish.workspace(item))
            }
            guard AppScheme.isScheme(scheme) else { throw SuperAppWish.Reader.malformed("scheme", "is no scheme that an app may have") }
            guard !workspaces.isEmpty else { throw SuperAppWish.Reader.malformed("workspaces", "is empty: authors publish into one") }
        } catch {
            throw WalletError(code: .configurationInvalid, reason: error.reason)
        }
    }
}

import BillfoldJSON
import BillfoldServer
import Foundation
import MiniPrograms
import PaymentCrypto

/// What parties, mini programs and grants are registered with: closed JSON objects. Keys are base64 of their DER.
///
/// Refused with `malformed-request`, naming the field, or `unusable-key`.
enum SuperAppWish {
    typealias Reader = ClosedObjectReader<WalletError>

    static let workspaceMembers = ["workspaceId", "kind", "name"]
    static let authorMembers = ["authorId", "name", "keys", "packageKeys", "workspaces", "closed"]
    static let clientMembers = ["authClientId", "name", "keys", "apps", "closed"]
    static let appMembers = [
        "appId", "workspaceId", "name", "slogan", "logo", "authClientId", "serverDomains", "webPageDomains",
    ]
    static let grantMembers = ["features", "customInterfaces", "scenes", "scopes"]
    /// Of one list of domains: the largest limit that a platform documents (mini-programs.md#domains [D]).
    private static let mostDomains = 30

    /// `{"workspaceId","kind","name"}`; the kind is `LOCAL_MINI_PROGRAM` or `ALIPAY_CONNECT`.
    static func workspace(_ reader: Reader) throws(WalletError) -> MiniProgramWorkspace {
        guard let kind = MiniProgramMetadata.Workspace(rawValue: try reader.text("kind", maximum: 32)) else {
            throw Reader.malformed("kind", "is neither LOCAL_MINI_PROGRAM nor ALIPAY_CONNECT")
        }
        return MiniProgramWorkspace(
            id: try name("workspaceId", maximum: 32, in: reader), kind: kind, name: try reader.text("name", maximum: 64))
    }

    /// `{"authorId","name","keys":[{"version","publicKey"}],"packageKeys":[{"keyId","publicKey"}],"workspaces":[…],"closed"?}`.
    static func author(_ reader: Reader) throws(WalletError) -> MiniProgramAuthor {
        var packageKeys: [MiniProgramAuthor.PackageKey] = []
        for item in try reader.objects("packageKeys", maximum: 8, allowing: ["keyId", "publicKey"]) {
            packageKeys.append(.init(id: try item.text("keyId", maximum: 64), subjectPublicKeyInfo: try der(item)))
        }
        let author = MiniProgramAuthor(
            id: try name("authorId", maximum: 128, in: reader), name: try reader.text("name", maximum: 64), keys: try keys("keys", reader),
            packageKeys: packageKeys, workspaces: try reader.texts("workspaces", maximum: 16, length: 32), isOpen: try isOpen(reader))
        guard author.packageRing != nil else {
            throw WalletError(code: .unusableKey, reason: "packageKeys is empty or holds what is no key")
        }
        return author
    }

    /// `{"authClientId","name","keys":[{"version","publicKey"}],"apps":[…],"closed"?}`.
    static func client(_ reader: Reader) throws(WalletError) -> OAuthClient {
        let apps = try reader.texts("apps", maximum: 64, length: 32)
        guard apps.allSatisfy(PackageManifest.isAppID) else { throw Reader.malformed("apps", "holds what is no mini program's id") }
        return OAuthClient(
            id: try name("authClientId", maximum: 128, in: reader), name: try reader.text("name", maximum: 64),
            keys: try keys("keys", reader),
            apps: apps, isOpen: try isOpen(reader))
    }

    private static func isOpen(_ reader: Reader) throws(WalletError) -> Bool {
        reader.object["closed"] == nil ? true : try !reader.bool("closed")
    }

    /// `[{"version","publicKey"}]`.
    static func keys(_ member: String, _ reader: Reader) throws(WalletError) -> [CallKey] {
        var keys: [CallKey] = []
        for item in try reader.objects(member, maximum: 8, allowing: ["version", "publicKey"]) {
            keys.append(CallKey(version: Int(try item.integer("version", in: 0...9_999)), subjectPublicKeyInfo: try der(item)))
        }
        guard CallKey.ring(keys) != nil else {
            throw WalletError(code: .unusableKey, reason: "\(member) are RSA of 2048 bits or more, each under a version of its own")
        }
        return keys
    }

    private static func der(_ item: Reader) throws(WalletError) -> [UInt8] {
        guard let der = try? StrictBase64.decode(item.text("publicKey", maximum: 2_048)) else {
            throw Reader.malformed("publicKey", "is no base64")
        }
        return der
    }

    /// A name that goes into headers: printable ASCII without blanks and dots, because signed texts end it with a dot.
    static func name(_ key: String, maximum: Int, in reader: Reader) throws(WalletError) -> String {
        let text = try reader.text(key, maximum: maximum)
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ".") }) else {
            throw Reader.malformed(key, "is not printable ASCII without dots")
        }
        return text
    }

    /// `{"appId","workspaceId","name","slogan"?,"logo"?,"authClientId"?,"serverDomains"?,"webPageDomains"?}`.
    static func app(_ reader: Reader, by author: MiniProgramAuthor, in mode: ServerMode) throws(WalletError) -> HostedMiniProgram {
        let appID = try reader.text("appId", maximum: 32)
        guard PackageManifest.isAppID(appID) else { throw Reader.malformed("appId", "is not 1 to 32 letters, digits, - and _") }
        let logo = try reader.optionalText("logo", maximum: 512)
        guard logo.map({ host(of: $0, in: mode) != nil }) ?? true else { throw Reader.malformed("logo", "is no https address") }
        return HostedMiniProgram(
            appID: appID, author: author.id, workspace: try reader.text("workspaceId", maximum: 32),
            profile: .init(
                name: try reader.text("name", maximum: 64), slogan: try reader.optionalText("slogan", maximum: 128), logo: logo,
                authClientID: try reader.optionalText("authClientId", maximum: 128), serverDomains: try domains("serverDomains", reader),
                webPageDomains: try domains("webPageDomains", reader)))
    }

    private static func domains(_ key: String, _ reader: Reader) throws(WalletError) -> [String] {
        let hosts = try reader.texts(key, maximum: mostDomains)
        guard hosts.allSatisfy(isHost) else {
            throw Reader.malformed(key, "holds something other than hosts, such as api.merchant.example or *.merchant.example")
        }
        return hosts
    }

    /// A plain host in lower case, with a port or a star for what stands before its first dot.
    private static func isHost(_ text: String) -> Bool {
        text.wholeMatch(of: /(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?/) != nil
    }

    /// `{"features"?,"customInterfaces"?,"scenes"?,"scopes"?:[{"scope","rule"}]}`; a rule is `silent`, `ask` or `forbidden`, and a feature
    /// one that an interface needs (mini-programs.md#features).
    static func grant(_ reader: Reader) throws(WalletError) -> HostedMiniProgram.Grant {
        let (features, own) = (try reader.texts("features", maximum: 200), try reader.texts("customInterfaces", maximum: 200))
        if let place = JSAPICatalogue.standard.firstUnknownFeature(in: features, customInterfaces: own) {
            let known = JSAPICatalogue.standard.features.joined(separator: ", ")
            throw Reader.malformed(
                "features[\(place)]", "is no feature; there are \(known), and custom.NAME for each NAME in customInterfaces")
        }
        return HostedMiniProgram.Grant(
            features: features, customInterfaces: own,
            scenes: try reader.texts("scenes", maximum: 64, length: 64), scopes: try scopes(reader))
    }

    /// `[{"scope","rule"}]`.
    static func scopes(_ reader: Reader) throws(WalletError) -> [String: ScopePolicy.Rule] {
        var scopes: [String: ScopePolicy.Rule] = [:]
        for item in try reader.objects("scopes", maximum: 64, allowing: ["scope", "rule"]) {
            guard let rule = ScopePolicy.Rule(rawValue: try item.text("rule", maximum: 16)) else {
                throw Reader.malformed("scopes.rule", "is none of silent, ask and forbidden")
            }
            scopes[try item.text("scope", maximum: 64)] = rule
        }
        return scopes
    }

    /// The host of an https address, with its port; nil for what is none. In test mode also of plain http.
    static func host(of address: String, in mode: ServerMode) -> String? {
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), let parts = URLComponents(string: address), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.scheme == "https" || (mode == .test && parts.scheme == "http")
        else { return nil }
        let text = host.lowercased() + (parts.port.map { ":\($0)" } ?? "")
        return isHost(text) ? text : nil
    }
}

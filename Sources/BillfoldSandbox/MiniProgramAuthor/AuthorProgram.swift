import BillfoldJSON
import Crypto
import Foundation
import MiniPrograms
import PaymentCrypto

/// A mini program of the author's: what it is called, and what it asks the platform for. The ids are made up.
struct AuthorProgram: Sendable {
    enum Kind: String, Sendable, Codable {
        /// Packed and signed.
        case script
        /// Pages of the author's own server.
        case web
    }

    var appID: String
    var name: String
    var slogan: String
    var kind: Kind
    /// The platform's: its own, or the one whose mini programs are offered to several wallets.
    var workspace: String
    /// `authClientId`: the author's server is the merchant's too.
    var clientID: String
    var features: [String]
    var scenes: [String]
    /// Over everybody's rules.
    var scopes: [String: ScopePolicy.Rule]

    static let teaCounter = AuthorProgram(
        appID: "2026112300000001", name: "Tea Counter", slogan: "Order at your table", kind: .script, workspace: "wallet",
        clientID: "tea-counter",
        features: ["auth", "payment", "scan", "biz-scene", "open-url", "navigate-mini-program", "clipboard"],
        scenes: ["WEB_PAGE", "SCAN", "QR_PAY", "BIND_CARD", "TOP_UP", "SCHEME", "QR_CODE"],
        // The last one is forbidden so that a consent can succeed in part.
        scopes: ["USER_NAME": .ask, "USER_AVATAR": .ask, "USER_CONTACTINFO": .ask, "USER_BIRTHDAY": .forbidden])

    static let postcards = AuthorProgram(
        appID: "2026112300000002", name: "Postcards", slogan: "A mini program of plain web pages", kind: .web, workspace: "connect",
        clientID: "postcards", features: ["auth", "payment", "scan", "biz-scene"], scenes: ["SCAN", "TOP_UP"],
        scopes: ["USER_NAME": .ask])

    static let all = [teaCounter, postcards]

    static func find(_ appID: String) -> AuthorProgram? { all.first { $0.appID == appID } }

    /// The platform's lists name hosts, with their ports.
    static func host(of origin: String) -> String { origin.split(separator: "/").last.map { $0.lowercased() } ?? "" }

    /// The first page of an HTML5 mini program.
    static func webPage(at origin: String) -> String { "\(origin)/author/postcards/index.html" }

    /// What its author says of it, for the platform.
    func profile(at origin: String) -> JSONObject {
        var object = JSONObject([
            .init("appId", .string(appID)), .init("workspaceId", .string(workspace)), .init("name", .string(name)),
            .init("slogan", .string(slogan)), .init("authClientId", .string(clientID)),
        ])
        let host = JSONValue.array([.string(Self.host(of: origin))])
        object["serverDomains"] = host
        object["webPageDomains"] = host
        return object
    }

    /// What it asks the platform to be granted.
    var grant: JSONObject {
        func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
        let rules = scopes.sorted { $0.key < $1.key }.map { JSONValue.texts(["scope": $0.key, "rule": $0.value.rawValue]) }
        return JSONObject([.init("features", texts(features)), .init("scenes", texts(scenes)), .init("scopes", .array(rules))])
    }

    /// Its files with the author's address written in; empty for pages of the server.
    func files(at origin: String) throws -> [String: [UInt8]] {
        guard kind == .script else { return [:] }
        var files = try AuthorFiles.read("TeaCounter")
        let address = String(decoding: JSONWriter.quoted(origin), as: UTF8.self)
        files["config.js"] = Array("// Written when the package was made.\nmodule.exports = { author: \(address) };\n".utf8)
        return files
    }

    /// Two builds of equal content need not both be uploaded.
    func content(at origin: String) throws -> String {
        var hash = SHA256()
        hash.update(data: JSONWriter.write(profile(at: origin)))
        hash.update(data: JSONWriter.write(grant))
        if kind == .web { hash.update(data: Array(Self.webPage(at: origin).utf8)) }
        for (path, bytes) in try files(at: origin).sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array("\(path)\u{0}\(bytes.count)\u{0}".utf8))
            hash.update(data: bytes)
        }
        return Hexadecimal.encode(Array(hash.finalize()))
    }
}

/// The programs' files as they lie in this package.
enum AuthorFiles {
    /// The files of a folder, by their paths in it.
    static func read(_ folder: String) throws -> [String: [UInt8]] {
        let root = Bundle.module.bundleURL.appendingPathComponent("Programs").appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: root.path) else {
            throw SandboxError(code: .notFound, reason: "the folder of \(folder) is missing")
        }
        var files: [String: [UInt8]] = [:]
        for case let path as String in walk {
            let address = root.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: address.path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
            guard let data = FileManager.default.contents(atPath: address.path) else {
                throw SandboxError(code: .notFound, reason: "\(path) cannot be read")
            }
            files[path] = Array(data)
        }
        return files
    }
}

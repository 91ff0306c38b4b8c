public import BillfoldJSON
import PaymentCrypto

/// What the platform tells a container of one version of a mini program (mini-programs.md#metadata). A container keeps it with the package:
/// offline, both are needed.
///
/// The documents name the contents and not the members: the JSON is ours [I].
public struct MiniProgramMetadata: Sendable, Hashable {
    /// From where it was published (mini-programs.md#steps, step 3).
    public enum Workspace: String, Sendable, Hashable, CaseIterable {
        case local = "LOCAL_MINI_PROGRAM"
        case connect = "ALIPAY_CONNECT"
    }

    /// The archive to fetch.
    public struct Package: Sendable, Hashable {
        /// Where it is fetched.
        public var url: String
        /// Of the archive's bytes, in lower-case hexadecimal. Found before anything is unpacked; the signature is checked after.
        public var sha256: String
        public var size: Int64

        public init(url: String, sha256: String, size: Int64) {
            self.url = url
            self.sha256 = sha256
            self.size = size
        }
    }

    public var appID: String
    public var name: String
    /// An address.
    public var logo: String
    /// The super app's id of the merchant; nil where nobody recorded it, which the container names when it is needed.
    public var authClientID: String?
    public var workspace: Workspace
    public var version: MiniProgramVersion
    public var minimumContainer: MiniProgramVersion
    /// The names of ``JSAPI/Permission``.
    public var features: [String]
    /// Interfaces of the super app's own that it may call.
    public var customInterfaces: [String]
    /// The lists as they were when the version was built: later edits do not count (mini-programs.md#metadata [D]).
    public var serverDomains: [String]
    public var webPageDomains: [String]
    /// Scenes that it may open.
    public var scenes: [String]
    /// Nil for an HTML5 mini program.
    public var package: Package?
    /// Of an HTML5 mini program: its first page.
    public var webPage: String?

    public init(
        appID: String, name: String, logo: String = "", authClientID: String? = nil, workspace: Workspace = .local,
        version: MiniProgramVersion, minimumContainer: MiniProgramVersion = .init(1, 0, 0), features: [String] = [],
        customInterfaces: [String] = [], serverDomains: [String] = [], webPageDomains: [String] = [], scenes: [String] = [],
        package: Package? = nil, webPage: String? = nil
    ) {
        self.appID = appID
        self.name = name
        self.logo = logo
        self.authClientID = authClientID
        self.workspace = workspace
        self.version = version
        self.minimumContainer = minimumContainer
        self.features = features
        self.customInterfaces = customInterfaces
        self.serverDomains = serverDomains
        self.webPageDomains = webPageDomains
        self.scenes = scenes
        self.package = package
        self.webPage = webPage
    }

    /// Reads metadata. `missing-field`, `malformed-field`, `malformed-version`. Members that are not known are passed over.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        let reader = OpenAPIReader(object: object)
        appID = try reader.required("appId", maximum: 32)
        guard PackageManifest.isAppID(appID) else { throw MiniProgramError(code: .malformedField, reason: "appId is none") }
        name = try reader.required("name", maximum: 64)
        logo = try reader.optional("logo", maximum: 512) ?? ""
        authClientID = try reader.optional("authClientId", maximum: 128)
        guard let workspace = Workspace(rawValue: try reader.required("workspace", maximum: 32)) else {
            throw MiniProgramError(code: .malformedField, reason: "workspace is neither LOCAL_MINI_PROGRAM nor ALIPAY_CONNECT")
        }
        self.workspace = workspace
        version = try Self.version(reader, "releaseVersion")
        minimumContainer = try Self.version(reader, "minimumContainer")
        features = try Self.list(object, "features")
        customInterfaces = try Self.list(object, "customInterfaces")
        serverDomains = try Self.list(object, "serverDomains")
        webPageDomains = try Self.list(object, "webPageDomains")
        scenes = try Self.list(object, "scenes")
        webPage = try reader.optional("webPage", maximum: 2_048)
        if let inner = object["package"]?.object {
            let inside = OpenAPIReader(object: inner)
            guard let size = inner["size"]?.integer, size > 0 else {
                throw MiniProgramError(code: .malformedField, reason: "package.size is no size")
            }
            package = Package(
                url: try inside.required("url", maximum: 2_048), sha256: try inside.required("sha256", maximum: 64), size: size)
            guard (try? Hexadecimal.decode(package?.sha256 ?? ""))?.count == 32 else {
                throw MiniProgramError(code: .malformedField, reason: "package.sha256 is no SHA-256")
            }
        }
        guard (package == nil) != (webPage == nil) else {
            throw MiniProgramError(code: .missingField, reason: "one of package and webPage is needed, and not both")
        }
    }

    private static func version(_ reader: OpenAPIReader, _ key: String) throws(MiniProgramError) -> MiniProgramVersion {
        guard let version = MiniProgramVersion(text: try reader.required(key, maximum: 64)) else {
            throw MiniProgramError(code: .malformedVersion, reason: "\(key) is no version")
        }
        return version
    }

    private static func list(_ object: JSONObject, _ key: String) throws(MiniProgramError) -> [String] {
        guard let value = object[key] else { return [] }
        guard let values = value.array, values.count <= 500 else {
            throw MiniProgramError(code: .malformedField, reason: "\(key) is no list of at most 500")
        }
        let texts = values.compactMap(\.string)
        guard texts.count == values.count, texts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 256 }) else {
            throw MiniProgramError(code: .malformedField, reason: "\(key) holds something other than names")
        }
        return texts
    }

    /// The JSON, as ``init(_:)`` reads it.
    public var body: [UInt8] {
        func list(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
        var object = JSONObject([.init("appId", .string(appID)), .init("name", .string(name)), .init("logo", .string(logo))])
        object["authClientId"] = authClientID.map { .string($0) }
        object["workspace"] = .string(workspace.rawValue)
        object["releaseVersion"] = .string(version.description)
        object["minimumContainer"] = .string(minimumContainer.description)
        object["features"] = list(features)
        object["customInterfaces"] = list(customInterfaces)
        object["serverDomains"] = list(serverDomains)
        object["webPageDomains"] = list(webPageDomains)
        object["scenes"] = list(scenes)
        object["webPage"] = webPage.map { .string($0) }
        if let package {
            object["package"] = .object([
                .init("url", .string(package.url)), .init("sha256", .string(package.sha256)), .init("size", .number(String(package.size))),
            ])
        }
        return JSONWriter.write(object)
    }
}

import BillfoldJSON
import BillfoldServer
import HTTPTypes
import Hummingbird
import MiniPrograms
import NIOCore
import PaymentCrypto

/// What containers ask for, by GET under `/mini-programs/v1`. A user's session, where there is one, decides about pilots and shares.
///
/// Lists and metadata have tags: a container that asks again sends `If-None-Match` and mostly gets 304 without a body.
struct DeliveryRoutes: Sendable {
    static let base = "/mini-programs/v1"

    let sessions: SuperAppSessions
    let service: DeliveryService
    let promotions: PromotionCode

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.get("/mini-programs/v1/apps") { request, _ in try await list(request) }
        router.get("/mini-programs/v1/apps/:appId/metadata") { request, context in
            try await metadata(request, try context.parameters.require("appId"))
        }
        router.get("/mini-programs/v1/packages/:sha256") { request, context in
            let sha256 = try context.parameters.require("sha256")
            // A package's name is its hash: who has the name's bytes has them for ever.
            let headers: HTTPFields = [.eTag: "\"\(sha256)\"", .cacheControl: "public, max-age=31536000, immutable"]
            if Self.knows(request, "\"\(sha256)\"") { return Response(status: .notModified, headers: headers) }
            return Self.answer(try await service.package(sha256), type: "application/zip", headers: headers)
        }
        router.get("/mini-programs/v1/promotion-codes") { request, _ in
            guard let url = try request.query(allowing: ["url"])["url"], url.utf8.count <= 2_048 else {
                throw WalletError(code: .malformedRequest, reason: "url is missing or longer than 2,048 bytes")
            }
            return Self.answer(Self.decoded(promotions.decodeURLContent(url)), type: "application/json; charset=utf-8", headers: [:])
        }
        router.get("/mini-programs/v1/keys") { _, _ in
            let key = JSONValue.texts([
                "keyId": service.side.packageKeyID.description, "algorithm": service.side.packageAlgorithm.rawValue,
                "publicKey": service.side.packageKey.publicKey.pem,
            ])
            return Self.answer(
                JSONWriter.write(JSONObject([.init("keys", .array([key]))])), type: "application/json; charset=utf-8",
                headers: [.cacheControl: "public, max-age=300"])
        }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = try request.query(allowing: ["ids", "after", "container"])
        let ids = query["ids"].map { $0.split(separator: ",").map(String.init) }
        guard ids.map({ (1...DeliveryService.mostLines).contains($0.count) && $0.allSatisfy(PackageManifest.isAppID) }) ?? true else {
            throw WalletError(code: .malformedRequest, reason: "ids is not 1 to \(DeliveryService.mostLines) ids with commas between")
        }
        let after = query["after"] ?? ""
        guard after.isEmpty || PackageManifest.isAppID(after) else {
            throw WalletError(code: .malformedRequest, reason: "after is no mini program's id")
        }
        let user = try await sessions.userIfAny(request)?.number
        struct Body: Encodable {
            var apps: [DeliveryService.Line]
        }
        let lines = try await service.list(ids, after: after, user: user, container: try Self.container(query))
        return Self.tagged(.init(try JSONDocument.encode(Body(apps: lines))), request)
    }

    private func metadata(_ request: Request, _ appID: String) async throws -> Response {
        let query = try request.query(allowing: ["container", "version"])
        let wanted: VersionRequest?
        do throws(MiniProgramError) {
            wanted = try query["version"].map { text throws(MiniProgramError) in try VersionRequest(text) }
        } catch {
            throw WalletError(code: .malformedRequest, reason: error.reason)
        }
        let user = try await sessions.userIfAny(request)?.number
        let metadata = try await service.metadata(appID, user: user, container: try Self.container(query), request: wanted)
        var response = Self.tagged(metadata, request)
        if response.status == .ok { response.headers[.metadataSignature] = try service.signature(over: metadata.bytes).description }
        return response
    }

    /// The version of the container that asks: three numbers.
    private static func container(_ query: [String: String]) throws(WalletError) -> MiniProgramVersion {
        guard let version = query["container"].flatMap({ MiniProgramVersion(text: $0) }), version.stamp == nil else {
            throw WalletError(code: .malformedRequest, reason: "container is missing, or not three numbers")
        }
        return version
    }

    private static func tagged(_ tagged: DeliveryService.Tagged, _ request: Request) -> Response {
        // What one user gets is not what another does.
        let headers: HTTPFields = [.eTag: tagged.tag, .cacheControl: "private, no-cache", .vary: "Cookie, Authorization"]
        if knows(request, tagged.tag) { return Response(status: .notModified, headers: headers) }
        return answer(tagged.bytes, type: "application/json; charset=utf-8", headers: headers)
    }

    private static func knows(_ request: Request, _ tag: String) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { $0.drop { $0 == " " } == tag }
    }

    private static func answer(_ bytes: [UInt8], type: String, headers: HTTPFields) -> Response {
        var headers = headers
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func decoded(_ content: DecodedURLContent) -> [UInt8] {
        var object = JSONObject([.init("success", .bool(content.success))])
        object["decodedURL"] = content.decodedURL.map { .string($0) }
        object["errorCode"] = content.errorCode.map { .string($0) }
        object["errorMessage"] = content.errorMessage.map { .string($0) }
        return JSONWriter.write(object)
    }
}

extension HTTPField.Name {
    fileprivate static let metadataSignature = HTTPField.Name(MetadataSignature.headerName)!  // swift-format-ignore: NeverForceUnwrap
}

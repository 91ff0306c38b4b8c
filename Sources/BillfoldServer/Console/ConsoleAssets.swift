import Crypto
import HTTPTypes
package import Hummingbird
import PaymentCrypto

/// One file that pages load.
package struct ConsoleAsset: Sendable, Hashable {
    package var contentType: String
    package var bytes: [UInt8]

    package init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// Serves a fixed set of files under `/assets/`, held in memory, with an ETag over their content.
///
/// A path is looked up in a table: there is no file system behind it to walk out of.
package struct ConsoleAssets: Sendable {
    private struct Tagged: Sendable {
        var asset: ConsoleAsset
        var tag: String
    }

    private let assets: [String: Tagged]

    /// - Parameter assets: Path below `/assets/` to file.
    package init(_ assets: [String: ConsoleAsset]) {
        self.assets = assets.mapValues { asset in
            Tagged(asset: asset, tag: "\"" + Hexadecimal.encode(Array(SHA256.hash(data: asset.bytes)).prefix(16)) + "\"")
        }
    }

    /// Serves them below `folder`: another one than `/assets` on a listener that has files there already.
    package func add<Context: RequestContext>(to router: some RouterMethods<Context>, under folder: String = "/assets") {
        router.get("\(folder)/**") { [assets] request, context in
            let path = context.parameters.getCatchAll().joined(separator: "/")
            guard let tagged = assets[path] else { throw ServerError(code: .notFound, reason: "no such file", status: .notFound) }
            var headers: HTTPFields = [.eTag: tagged.tag, .cacheControl: "public, max-age=0, must-revalidate"]
            let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            if known.contains(where: { $0.drop { $0 == " " } == tagged.tag }) { return Response(status: .notModified, headers: headers) }
            headers[.contentType] = tagged.asset.contentType
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: tagged.asset.bytes)))
        }
    }
}

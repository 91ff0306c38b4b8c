package import BillfoldWeb
import HTTPTypes
package import Hummingbird

/// Serves a fixed set of files under `/assets/`, held in memory.
///
/// A path is looked up in a table: there is no file system behind it to walk out of.
package struct PageAssets: Sendable {
    private let assets: [String: WebAsset]

    /// - Parameter assets: Path below `/assets/` to file.
    package init(_ assets: [String: WebAsset]) { self.assets = assets }

    /// Serves them below `folder`: another one than `/assets` on a listener that has files there already.
    package func add<Context: RequestContext>(to router: some RouterMethods<Context>, under folder: String = "/assets") {
        router.get("\(folder)/**") { [assets] request, context in
            let path = context.parameters.getCatchAll().joined(separator: "/")
            guard let asset = assets[path] else { throw ServerError(code: .notFound, reason: "no such file", status: .notFound) }
            var headers: HTTPFields = [.eTag: asset.entityTag, .cacheControl: "public, max-age=0, must-revalidate"]
            let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            if known.contains(where: { $0.drop { $0 == " " } == asset.entityTag }) {
                return Response(status: .notModified, headers: headers)
            }
            headers[.contentType] = asset.contentType
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
        }
    }
}

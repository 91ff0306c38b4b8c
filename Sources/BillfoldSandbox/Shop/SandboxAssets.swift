import BillfoldWeb
import HTTPTypes
package import Hummingbird

/// Serves the pages' style sheets, scripts and pictures under `/assets`, from a table in memory.
package struct SandboxAssets: Sendable {
    private let assets: [String: WebAsset]

    package init() throws { assets = try PageSet.common.assets.merging(PageSet.sandbox.assets) { _, own in own } }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("assets/**") { [assets] request, context in
            guard let asset = assets[context.parameters.getCatchAll().joined(separator: "/")] else { return Response(status: .notFound) }
            var headers: HTTPFields = [.eTag: asset.entityTag, .cacheControl: "public, max-age=0, must-revalidate"]
            if request.headers[.ifNoneMatch] == asset.entityTag { return Response(status: .notModified, headers: headers) }
            headers[.contentType] = asset.contentType
            headers[.xContentTypeOptions] = "nosniff"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
        }
    }
}

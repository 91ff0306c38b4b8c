import AppContainer
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages of the HTML5 mini program: files of the author's, and the bridge's script beside them. A web view puts the script in itself; in a
/// frame of a browser nobody can, so that the pages bring it, made for the page around them.
struct AuthorPages: Sendable {
    private let files: [String: [UInt8]]
    private let superApp: String

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    ]

    /// - Parameter superApp: The origin of the phones, which show the pages in a frame and alone are spoken to.
    init(superApp: String) throws {
        self.superApp = superApp
        var files = try AuthorFiles.read("Postcards")
        files["bridge.js"] = Array(WebBridge.script(hostOrigin: superApp).utf8)
        self.files = files
    }

    /// Only the super app may frame a page.
    private var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors \(superApp)"
    }

    func answer(_ file: String) throws -> Response {
        guard let bytes = files[file], let type = file.split(separator: ".").last.flatMap({ Self.types[String($0)] }) else {
            throw SandboxRefusal(code: "not-found", reason: "there is no such page", status: 404)
        }
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = policy
        headers[.xContentTypeOptions] = "nosniff"
        // The listener's own would say DENY to browsers that do not know frame-ancestors.
        if let name = HTTPField.Name("X-Frame-Options") { headers[name] = "SAMEORIGIN" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

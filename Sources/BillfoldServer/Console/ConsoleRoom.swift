import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird

/// There is no page under this address, for the reason that is told.
package struct NoPage: Error {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// Where desks mount pages: behind the sign-in, in the console's frame.
package struct ConsoleRoom {
    package typealias Draw = @Sendable (Request, ServerRequestContext, ConsoleReader) async throws -> String

    /// What the pages know of the console that they are in.
    struct Setting: Sendable {
        var mode: ServerMode
        var links: [PageFrame.Link]
        var offersSignIn: Bool
        /// Whether what takes a second person can be asked for here.
        var offersRequests: Bool
        var pages: any ConsolePages

        func reader(_ context: ServerRequestContext) throws(ServerError) -> ConsoleReader {
            ConsoleReader(
                mode: mode, identity: try context.operatorInRole(.viewer), csrfToken: context.operatorSession?.csrfToken,
                offersSignIn: offersSignIn, offersRequests: offersRequests, links: links)
        }
    }

    package let router: RouterGroup<ServerRequestContext>
    let setting: Setting

    /// Adds a page. ``NoPage`` is answered as a page too, with 404.
    package func page(_ path: RouterPath, draw: @escaping Draw) {
        router.get(path) { [setting] request, context in
            let reader = try setting.reader(context)
            do {
                return Self.answer(try await draw(request, context, reader))
            } catch let none as NoPage {
                let refusal = Refusal(status: .notFound, code: "not-found", reason: none.reason)
                return Self.answer(try setting.pages.problem(refusal, for: reader), status: .notFound)
            }
        }
    }

    static func answer(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"], body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}

extension ServerRequestContext {
    /// A part of the path as it was before it was encoded; empty where there is none.
    package func pathPart(_ name: String) -> String { parameters.get(name)?.removingPercentEncoding ?? "" }
}

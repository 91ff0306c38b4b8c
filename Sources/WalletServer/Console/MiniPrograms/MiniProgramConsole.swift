package import BillfoldServer
package import BillfoldWeb
import Hummingbird

/// The pages of a platform of mini programs.
package struct MiniProgramConsole: ConsoleDesk {
    private let desk: any MiniProgramDesk

    package init(_ desk: any MiniProgramDesk) { self.desk = desk }

    package var pages: PageSet? { .wallet }
    package var link: PageFrame.Link? { .init("Mini programs", path: "/mini-programs") }

    package func mount(in room: ConsoleRoom) {
        room.page("/mini-programs") { [desk] _, _, reader in
            try await MiniProgramsPage(frame: reader.frame, shelf: desk.shelf()).html()
        }
        room.page("/mini-programs/{id}") { [desk] _, context, reader in
            guard let view = try await desk.miniProgram(context.pathPart("id")) else {
                throw NoPage("the platform hosts no mini program of that id")
            }
            return try MiniProgramPage(frame: reader.frame, view: view, offersSteps: reader.mayRequest).html()
        }
    }
}

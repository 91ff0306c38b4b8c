/// What the console can show of a platform of mini programs. What moves trust is asked for as an approval, whose actions are the
/// platform's own.
package protocol MiniProgramDesk: Sendable {
    func shelf() async throws -> MiniProgramShelf
    /// `nil` where the platform hosts none of that id.
    func miniProgram(_ appID: String) async throws -> MiniProgramView?
}

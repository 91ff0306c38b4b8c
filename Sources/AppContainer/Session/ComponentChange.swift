public import BillfoldJSON

/// What a view tells of its components: it knows the tree, the logic knows what each does (mini-programs.md#components).
public enum ComponentChange: Sendable {
    /// A component appeared.
    ///
    /// - Parameters:
    ///   - node: A number of its own within the run, above 0.
    ///   - parent: The component that it lies in; 0 for the page.
    ///   - path: Without suffix, such as `/components/tabs/index`.
    ///   - props: As the template gave them; a prop that begins with `on` names a method.
    ///   - ref: The method of the page or parent that is handed the instance.
    case mount(node: Int, parent: Int = 0, path: String, props: JSONObject = [], ref: String? = nil)
    /// Their subtrees stand; children come before parents.
    case mounted([Int])
    case props(node: Int, JSONObject)
    case unmount(node: Int)
}

extension ComponentChange {
    func input(page: Int) -> LogicInput {
        switch self {
        case .mount(let node, let parent, let path, let props, let ref):
            LogicInput(
                "mount",
                [
                    "node": .integer(node), "page": .integer(page), "parent": .integer(parent), "path": .string(path),
                    "props": .object(props),
                    "ref": ref.map(JSONValue.string) ?? .null,
                ])
        case .mounted(let nodes): LogicInput("mounted", ["nodes": .array(nodes.map(JSONValue.integer))])
        case .props(let node, let props): LogicInput("props", ["node": .integer(node), "props": .object(props)])
        case .unmount(let node): LogicInput("unmount", ["node": .integer(node)])
        }
    }
}

extension ProgramSupervisor {
    func component(_ change: ComponentChange) { tell(change) }

    func emit(_ event: String, _ data: JSONValue) { tell(LogicInput("emit", ["event": .string(event), "data": data])) }
}

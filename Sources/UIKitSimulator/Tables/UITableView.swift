public import Foundation

/// A list of rows. It asks for its cells when the customer looks at it, and once more after it was told to load again; all rows are seen.
@MainActor
@preconcurrency
open class UITableView: UIScrollView {
    /// Whether sections stand apart.
    public enum Style: Int, Sendable {
        case plain = 0
        case grouped, insetGrouped
    }

    /// How a change of rows is animated. Nothing moves here.
    public enum RowAnimation: Int, Sendable {
        case fade = 0
        case right, left, top, bottom, none, middle
        case automatic = 100
    }

    /// Where a row is to be seen.
    public enum ScrollPosition: Int, Sendable {
        case none = 0
        case top, middle, bottom
    }

    public nonisolated static let automaticDimension: CGFloat = -1

    public let style: Style
    open weak var dataSource: (any UITableViewDataSource)? {
        didSet { isStale = true }
    }
    open var rowHeight = UITableView.automaticDimension
    open var estimatedRowHeight = UITableView.automaticDimension
    open var sectionHeaderHeight = UITableView.automaticDimension
    open var sectionFooterHeight = UITableView.automaticDimension
    open var sectionHeaderTopPadding = UITableView.automaticDimension
    open var separatorStyle = SeparatorStyle.singleLine
    open var separatorColor: UIColor?
    open var separatorInset = UIEdgeInsets.zero
    open var backgroundView: UIView?
    open var allowsSelection = true
    open var allowsMultipleSelection = false
    open var isEditing = false
    open var tableHeaderView: UIView? {
        didSet { replace(oldValue, by: tableHeaderView) }
    }
    open var tableFooterView: UIView? {
        didSet { replace(oldValue, by: tableFooterView) }
    }

    private var cells: [(path: IndexPath, cell: UITableViewCell)] = []
    private var rows: [Int] = []
    private var chosen: [IndexPath] = []
    private var classes: [String: UITableViewCell.Type] = [:]
    private var headerClasses: [String: UITableViewHeaderFooterView.Type] = [:]
    private var free: [UITableViewCell] = []
    private var ends: [UIView] = []
    private var isStale = true
    private var isLoading = false

    /// Whether rows are divided by lines.
    public enum SeparatorStyle: Int, Sendable {
        case none = 0
        case singleLine
    }

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    private func replace(_ old: UIView?, by new: UIView?) {
        guard old !== new else { return }
        old?.removeFromSuperview()
        if let new { addSubview(new) }
    }

    // MARK: Cells

    /// Says of which class the cells of an identifier are.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UITableViewCell.Type
    }

    /// There are no archives here: the identifier has no class.
    open func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) { classes[identifier] = nil }

    /// Says of which class the heads and feet of an identifier are.
    open func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
        headerClasses[identifier] = aClass as? UITableViewHeaderFooterView.Type
    }

    /// A cell that is seen no more, or else a new one of the registered class; nil where none is registered.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        if let place = free.firstIndex(where: { $0.reuseIdentifier == identifier }) {
            let cell = free.remove(at: place)
            cell.prepareForReuse()
            return cell
        }
        return classes[identifier]?.init(dequeuedAs: identifier)
    }

    /// A cell that is seen no more, or else a new one of the registered class. Where none is registered a device ends the app:
    /// here the cell is an empty one, and the call a ``ScreenFault``.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        if let cell = dequeueReusableCell(withIdentifier: identifier) { return cell }
        SimulatedScreen.current.record(.cellNotRegistered, identifier)
        return UITableViewCell(style: .default, reuseIdentifier: identifier)
    }

    /// A new head or foot of the registered class; nil where none is registered.
    open func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? {
        headerClasses[identifier]?.init(dequeuedAs: identifier)
    }

    /// The cell of a row, where there is such a row.
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
        loadIfStale()
        return cells.first { $0.path == indexPath }?.cell
    }

    /// The row of a cell that the table shows.
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { cells.first { $0.cell === cell }?.path }

    open var visibleCells: [UITableViewCell] {
        loadIfStale()
        return cells.map(\.cell)
    }

    open var indexPathsForVisibleRows: [IndexPath]? {
        loadIfStale()
        return cells.map(\.path)
    }

    // MARK: Loading

    /// Forgets the cells and what was chosen. The app is asked again when the customer looks.
    open func reloadData() {
        isStale = true
        chosen = []
    }

    /// Shows other rows. What was chosen stays chosen where `place` knows its new place.
    func rearrange(_ place: (IndexPath) -> IndexPath?) {
        isStale = true
        chosen = chosen.compactMap(place)
    }

    /// Loads rows again: here all of them.
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        isStale = true
        chosen.removeAll { indexPaths.contains($0) }
    }

    /// Asks for rows' cells again, and leaves what is chosen: here all of them.
    open func reconfigureRows(at indexPaths: [IndexPath]) { isStale = true }

    /// Loads sections again: here all of them.
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { reloadData() }

    /// Shows rows that the app added to its list.
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { isStale = true }

    /// Shows rows no more that the app took from its list.
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadRows(at: indexPaths, with: animation) }

    /// Begins changes that belong together.
    open func beginUpdates() {}

    /// Ends changes that belong together.
    open func endUpdates() { isStale = true }

    /// Makes changes that belong together, and then calls back.
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        isStale = true
        completion?(true)
    }

    /// Lets the customer delete, or no more.
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }

    /// Scrolls until a row is seen: here all are.
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}

    open var numberOfSections: Int {
        loadIfStale()
        return rows.count
    }

    /// How many rows a section has.
    open func numberOfRows(inSection section: Int) -> Int {
        loadIfStale()
        return rows.indices.contains(section) ? rows[section] : 0
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        loadIfStale()
    }

    override func prepareToBeSeen() { loadIfStale() }

    private func loadIfStale() {
        guard isStale, !isLoading else { return }
        isLoading = true
        defer { isLoading = false }
        isStale = false
        free += cells.map(\.cell)
        for view in cells.map(\.cell) + ends { view.removeFromSuperview() }
        (cells, ends, rows) = ([], [], [])
        guard let dataSource else { return }
        for section in 0..<dataSource.numberOfSections(in: self) {
            rows.append(dataSource.tableView(self, numberOfRowsInSection: section))
            addEnd(
                rowsDelegate?.tableView(self, viewForHeaderInSection: section), dataSource.tableView(self, titleForHeaderInSection: section)
            )
            for row in 0..<rows[section] { add(dataSource, IndexPath(row: row, section: section)) }
            addEnd(
                rowsDelegate?.tableView(self, viewForFooterInSection: section), dataSource.tableView(self, titleForFooterInSection: section)
            )
        }
        if let tableFooterView { bringSubviewToFront(tableFooterView) }
    }

    private func add(_ dataSource: any UITableViewDataSource, _ path: IndexPath) {
        let cell = dataSource.tableView(self, cellForRowAt: path)
        free.removeAll { $0 === cell }
        cells.append((path, cell))
        addSubview(cell)
        cell.setSelected(chosen.contains(path), animated: false)
        rowsDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
    }

    private func addEnd(_ view: UIView?, _ title: String?) {
        var end = view
        if end == nil, let title {
            let plain = UITableViewHeaderFooterView(reuseIdentifier: nil)
            plain.textLabel?.text = title
            end = plain
        }
        guard let end else { return }
        ends.append(end)
        addSubview(end)
    }

    // MARK: Choosing

    private var rowsDelegate: (any UITableViewDelegate)? { delegate as? any UITableViewDelegate }

    open var indexPathForSelectedRow: IndexPath? { chosen.first }
    open var indexPathsForSelectedRows: [IndexPath]? { chosen.isEmpty ? nil : chosen }

    /// Chooses a row, without telling anybody.
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        if !allowsMultipleSelection { for other in chosen where other != indexPath { deselectRow(at: other, animated: animated) } }
        guard let indexPath, !chosen.contains(indexPath) else { return }
        chosen.append(indexPath)
        cells.first { $0.path == indexPath }?.cell.setSelected(true, animated: animated)
    }

    /// Chooses a row no more, without telling anybody.
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        chosen.removeAll { $0 == indexPath }
        cells.first { $0.path == indexPath }?.cell.setSelected(false, animated: animated)
    }

    /// The customer's finger on a row.
    ///
    /// - Returns: False where there is no such row, or none can be chosen.
    @discardableResult
    public func sendTap(at indexPath: IndexPath) -> Bool {
        guard canBeTouched, allowsSelection, let cell = cellForRow(at: indexPath), cell.canBeTouched else { return false }
        if allowsMultipleSelection, chosen.contains(indexPath) {
            deselectRow(at: indexPath, animated: true)
            rowsDelegate?.tableView(self, didDeselectRowAt: indexPath)
            return true
        }
        let wanted = rowsDelegate == nil ? indexPath : rowsDelegate?.tableView(self, willSelectRowAt: indexPath)
        guard let wanted else { return true }
        let before = allowsMultipleSelection ? [] : chosen.filter { $0 != wanted }
        selectRow(at: wanted, animated: true, scrollPosition: .none)
        for other in before { rowsDelegate?.tableView(self, didDeselectRowAt: other) }
        rowsDelegate?.tableView(self, didSelectRowAt: wanted)
        return true
    }

    /// The customer swipes a row and taps an action that the delegate has for it.
    ///
    /// - Parameters:
    ///   - indexPath: The row.
    ///   - title: The action's whole text.
    /// - Returns: False where there is no such row, or no such action.
    @discardableResult
    public func sendSwipe(at indexPath: IndexPath, for title: String) -> Bool {
        guard canBeTouched, let cell = cellForRow(at: indexPath) else { return false }
        let actions = rowsDelegate?.tableView(self, trailingSwipeActionsConfigurationForRowAt: indexPath)?.actions ?? []
        guard let action = actions.first(where: { $0.title == title }) else { return false }
        action.perform(on: cell)
        return true
    }

    /// The customer swipes a row away.
    ///
    /// - Returns: False where there is no such row, or it can't be edited.
    @discardableResult
    public func sendDeletion(at indexPath: IndexPath) -> Bool {
        guard canBeTouched, cellForRow(at: indexPath) != nil, let dataSource, dataSource.tableView(self, canEditRowAt: indexPath) else {
            return false
        }
        dataSource.tableView(self, commit: .delete, forRowAt: indexPath)
        return true
    }
}

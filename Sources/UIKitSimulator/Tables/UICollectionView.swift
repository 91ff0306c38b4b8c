public import Foundation

/// How the items of a collection are laid out. Nothing is.
@MainActor
@preconcurrency
open class UICollectionViewLayout: NSObject {
    public override init() { super.init() }
}

/// Items in rows. It is set and read.
@MainActor
@preconcurrency
open class UICollectionViewFlowLayout: UICollectionViewLayout {
    open var itemSize = CGSize(width: 50, height: 50)
    open var estimatedItemSize = CGSize.zero
    open var minimumLineSpacing: CGFloat = 10
    open var minimumInteritemSpacing: CGFloat = 10
    open var sectionInset = UIEdgeInsets.zero
    open var headerReferenceSize = CGSize.zero
    open var scrollDirection = UICollectionView.ScrollDirection.vertical
}

/// A cell of a collection. A subclass that is registered overrides `init(frame:)` or has no initializer of its own.
@MainActor
@preconcurrency
open class UICollectionViewCell: UICollectionReusableView {
    public let contentView = UIView(frame: .zero)
    open var isSelected = false
    open var isHighlighted = false
    open var backgroundView: UIView?
    open var selectedBackgroundView: UIView?
    private var labels: [UILabel] = []

    /// What the cell says since iOS 14, in labels of its own.
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { show(contentConfiguration as? UIListContentConfiguration) }
    }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(contentView)
    }

    /// Made by a collection, of a class that was registered.
    public required convenience init(dequeuedAs reuseIdentifier: String) {
        self.init(frame: .zero)
        self.reuseIdentifier = reuseIdentifier
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    private func show(_ configuration: UIListContentConfiguration?) {
        for label in labels { label.removeFromSuperview() }
        let texts = [
            configuration?.attributedText ?? configuration?.text.map { NSAttributedString(string: $0) },
            configuration?.secondaryText.map { NSAttributedString(string: $0) },
        ]
        labels = texts.compactMap(\.self).map { text in
            let label = UILabel(frame: .zero)
            label.attributedText = text
            contentView.addSubview(label)
            return label
        }
    }
}

/// Items to choose from, such as amounts. It asks for its cells when the customer looks at it, and all of them are seen.
@MainActor
@preconcurrency
open class UICollectionView: UIScrollView {
    /// Where items go on.
    public enum ScrollDirection: Int, Sendable {
        case vertical = 0
        case horizontal
    }

    /// Where an item is to be seen.
    public struct ScrollPosition: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let top = ScrollPosition(rawValue: 1 << 0)
        public static let centeredVertically = ScrollPosition(rawValue: 1 << 1)
        public static let bottom = ScrollPosition(rawValue: 1 << 2)
        public static let left = ScrollPosition(rawValue: 1 << 3)
        public static let centeredHorizontally = ScrollPosition(rawValue: 1 << 4)
        public static let right = ScrollPosition(rawValue: 1 << 5)
    }

    open var collectionViewLayout: UICollectionViewLayout
    open weak var dataSource: (any UICollectionViewDataSource)? {
        didSet { isStale = true }
    }
    open var allowsSelection = true
    open var allowsMultipleSelection = false
    open var backgroundView: UIView?
    private var cells: [(path: IndexPath, cell: UICollectionViewCell)] = []
    private var items: [Int] = []
    private var chosen: [IndexPath] = []
    private var classes: [String: UICollectionViewCell.Type] = [:]
    private var free: [UICollectionViewCell] = []
    private var isStale = true
    private var isLoading = false

    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        collectionViewLayout = layout
        super.init(frame: frame)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Says of which class the cells of an identifier are.
    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UICollectionViewCell.Type
    }

    /// There are no archives here: the identifier has no class.
    open func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) { classes[identifier] = nil }

    /// A cell that is seen no more, or else a new one of the registered class. Where none is registered a device ends the app:
    /// here the cell is an empty one, and the call a ``ScreenFault``.
    open func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath) -> UICollectionViewCell {
        if let place = free.firstIndex(where: { $0.reuseIdentifier == identifier }) {
            let cell = free.remove(at: place)
            cell.prepareForReuse()
            return cell
        }
        if let made = classes[identifier]?.init(dequeuedAs: identifier) { return made }
        SimulatedScreen.current.record(.cellNotRegistered, identifier)
        return UICollectionViewCell(dequeuedAs: identifier)
    }

    /// Forgets the cells and what was chosen. The app is asked again when the customer looks.
    open func reloadData() {
        isStale = true
        chosen = []
    }

    /// Shows other items. What was chosen stays chosen where `place` knows its new place.
    func rearrange(_ place: (IndexPath) -> IndexPath?) {
        isStale = true
        chosen = chosen.compactMap(place)
    }

    /// Loads items again: here all of them.
    open func reloadItems(at indexPaths: [IndexPath]) {
        isStale = true
        chosen.removeAll { indexPaths.contains($0) }
    }

    /// The cell of an item, where there is such an item.
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
        loadIfStale()
        return cells.first { $0.path == indexPath }?.cell
    }

    /// The item of a cell that the collection shows.
    open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { cells.first { $0.cell === cell }?.path }

    open var visibleCells: [UICollectionViewCell] {
        loadIfStale()
        return cells.map(\.cell)
    }

    open var numberOfSections: Int {
        loadIfStale()
        return items.count
    }

    /// How many items a section has.
    open func numberOfItems(inSection section: Int) -> Int {
        loadIfStale()
        return items.indices.contains(section) ? items[section] : 0
    }

    /// Scrolls until an item is seen: here all are.
    open func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}

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
        for (_, cell) in cells { cell.removeFromSuperview() }
        (cells, items) = ([], [])
        guard let dataSource else { return }
        for section in 0..<dataSource.numberOfSections(in: self) {
            items.append(dataSource.collectionView(self, numberOfItemsInSection: section))
            for item in 0..<items[section] {
                let path = IndexPath(item: item, section: section)
                let cell = dataSource.collectionView(self, cellForItemAt: path)
                free.removeAll { $0 === cell }
                cells.append((path, cell))
                addSubview(cell)
                cell.isSelected = chosen.contains(path)
            }
        }
    }

    // MARK: Choosing

    open var indexPathsForSelectedItems: [IndexPath]? { chosen }

    /// Chooses an item, without telling anybody.
    open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        if !allowsMultipleSelection { for other in chosen where other != indexPath { deselectItem(at: other, animated: animated) } }
        guard let indexPath, !chosen.contains(indexPath) else { return }
        chosen.append(indexPath)
        cells.first { $0.path == indexPath }?.cell.isSelected = true
    }

    /// Chooses an item no more, without telling anybody.
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {
        chosen.removeAll { $0 == indexPath }
        cells.first { $0.path == indexPath }?.cell.isSelected = false
    }

    /// The customer's finger on an item.
    ///
    /// - Returns: False where there is no such item, or it can't be chosen.
    @discardableResult
    public func sendTap(at indexPath: IndexPath) -> Bool {
        guard canBeTouched, allowsSelection, let cell = cellForItem(at: indexPath), cell.canBeTouched else { return false }
        let delegate = delegate as? any UICollectionViewDelegate
        if chosen.contains(indexPath), allowsMultipleSelection {
            deselectItem(at: indexPath, animated: true)
            delegate?.collectionView(self, didDeselectItemAt: indexPath)
            return true
        }
        guard delegate?.collectionView(self, shouldSelectItemAt: indexPath) ?? true else { return false }
        let before = allowsMultipleSelection ? [] : chosen.filter { $0 != indexPath }
        selectItem(at: indexPath, animated: true, scrollPosition: [])
        for other in before { delegate?.collectionView(self, didDeselectItemAt: other) }
        delegate?.collectionView(self, didSelectItemAt: indexPath)
        return true
    }
}

/// Says what a collection has.
@MainActor
@preconcurrency
public protocol UICollectionViewDataSource: NSObjectProtocol {
    /// How many items a section has.
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    /// The cell of an item, taken from the collection's own.
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    /// How many sections there are: one, where it is left out.
    func numberOfSections(in collectionView: UICollectionView) -> Int
}

extension UICollectionViewDataSource {
    public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
}

/// Hears of a collection's items. Every method may be left out.
@MainActor
@preconcurrency
public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    /// Called before the customer chooses an item.
    func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
    /// Called when the customer chose an item.
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
    /// Called when an item is no longer chosen.
    func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
}

extension UICollectionViewDelegate {
    public func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool { true }
    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
    public func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {}
}

/// Says how large items are. Nothing is laid out here: no method of it is called.
@MainActor
@preconcurrency
public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {}

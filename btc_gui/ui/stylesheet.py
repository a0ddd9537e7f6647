"""The style sheet, a template over the tokens and sizes of `theme`. Widgets take part by their `role` property."""

from __future__ import annotations

from typing import Final

STYLESHEET: Final = """
QMainWindow, QDialog { background: $window; }
QToolTip { background: $surface; color: $text; border: 1px solid $border_strong; padding: 4px 8px; }

QLabel[role="title"] { font-size: $heading_pt; font-weight: 600; }
QLabel[role="display"] { font-size: $display_pt; font-weight: 600; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="section"] { font-size: $small_pt; font-weight: 600; color: $secondary; }
QLabel[role="secondary"] { color: $secondary; }
QLabel[role="small"] { font-size: $small_pt; color: $secondary; }
QLabel[role="danger"] { color: $danger; }
QLabel[role="success"] { color: $success; }
QLabel[role="warning"] { color: $warning; }
QLabel[role="reading"] { font-size: $reading_pt; }
QLabel[role="mono"] { font-family: "$mono"; }
QLabel[role="banner"] { background: $evidence; color: $text; padding: 4px 24px; font-size: $small_pt; }
QLabel[role="keycap"] {
    font-size: $small_pt; color: $secondary; background: $sunken; border: 1px solid $border; border-radius: 4px;
    padding: 1px 6px;
}

QFrame[role="card"] { background: $surface; border: 1px solid $border; border-radius: 6px; }
QFrame[role="sunken"] { background: $sunken; border: none; border-radius: 6px; }
QFrame[role="line"] { background: $border; border: none; }
QFrame[role="rail"] { background: $sunken; border: none; border-right: 1px solid $border; }
QFrame[role="jobbar"] { background: $sunken; border: none; border-top: 1px solid $border; }

QPushButton, QToolButton[role="button"] {
    background: $surface; border: 1px solid $border_strong; border-radius: 6px; padding: 5px 12px;
}
QToolButton[role="button"] { padding: 4px 8px; }
QPushButton:hover, QToolButton[role="button"]:hover { background: $hover; }
QPushButton:pressed, QToolButton[role="button"]:pressed { background: $sunken; }
QPushButton:focus { border: 2px solid $accent; padding: 4px 11px; }
QToolButton[role="button"]:focus { border: 2px solid $accent; padding: 3px 7px; }
QPushButton:disabled, QToolButton[role="button"]:disabled {
    border-color: $border; background: $window; color: $disabled;
}
QPushButton[role="chip"] { padding: 2px 8px; background: $surface; }
QPushButton[role="chip"]:hover { background: $hover; }
QPushButton[role="chip"]:focus { padding: 1px 7px; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accent_hover; }
/* A ring within: around it the accent of the button would not be told from that of other rings. */
QPushButton[role="primary"]:focus { border: 4px double $on_accent; padding: 2px 9px; }
QPushButton[role="primary"]:disabled { background: $sunken; color: $disabled; border-color: $border; }
QPushButton[role="danger"] { color: $danger; }
QPushButton[role="danger"]:disabled { color: $disabled; }
QPushButton[role="link"] {
    border: 1px solid transparent; background: transparent; color: $accent; text-align: left; padding: 3px 4px;
}
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { border: 2px solid $accent; padding: 2px 3px; }
QPushButton[role="fold"] {
    border: 1px solid transparent; background: transparent; font-weight: 600; text-align: left; padding: 3px 4px;
}
QPushButton[role="fold"]:hover { background: $hover; }
QPushButton[role="fold"]:focus { border: 2px solid $accent; padding: 2px 3px; }
QPushButton[role="toggle"]:checked { background: $selection; border-color: $accent; }

QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 4px; background: transparent; }
QToolButton:hover { background: $hover; }
QToolButton:checked { background: $selection; }
QToolButton:focus { border: 2px solid $accent; padding: 3px; }
QToolButton[role="rail"] { font-size: $small_pt; padding: 8px 4px 6px 4px; color: $secondary; }
QToolButton[role="rail"]:checked { color: $text; font-weight: 600; }
QToolButton[role="rail"]:focus { padding: 7px 3px 5px 3px; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QDateEdit {
    background: $surface; border: 1px solid $outline; border-radius: 6px; padding: 4px 8px;
    selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QDateEdit:focus {
    border: 2px solid $accent; padding: 3px 7px;
}
QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled { background: $window; border-color: $border; }
QPlainTextEdit[role="reading"], QTextEdit[role="reading"] { font-size: $reading_pt; }
QPlainTextEdit[role="mono"] { font-family: "$mono"; }
QPlainTextEdit[bare="true"], QTextEdit[bare="true"] {
    border: 2px solid transparent; padding: 0; background: transparent;
}
QPlainTextEdit[bare="true"]:focus, QTextEdit[bare="true"]:focus { border: 2px solid $accent; padding: 0; }
QTextEdit[editing="true"] { border: 1px solid $outline; padding: 7px; background: $surface; }
QTextEdit[editing="true"]:focus { border: 2px solid $accent; padding: 6px; }

QSpinBox, QDoubleSpinBox { min-width: 64px; }
QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { border: none; padding: 0; background: transparent; }
/* Their buttons are not shown (arrow keys and wheel do it); Qt gives the text of a spin box its margins by them. */
QSpinBox::up-button, QDoubleSpinBox::up-button {
    subcontrol-origin: border; subcontrol-position: center left; width: 8px; border: none; background: transparent;
}
QSpinBox::down-button, QDoubleSpinBox::down-button {
    subcontrol-origin: border; subcontrol-position: center right; width: 8px; border: none; background: transparent;
}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {
    image: none; width: 0; height: 0;
}

QComboBox {
    background: $surface; border: 1px solid $outline; border-radius: 6px; padding: 4px 8px;
    combobox-popup: 0;
}
QComboBox:hover { background: $hover; }
QComboBox:focus { border: 2px solid $accent; padding: 3px 7px; }
QComboBox:disabled { color: $secondary; border-color: $border; background: $window; }
QComboBox::drop-down { border: none; width: $drop_px; }
QComboBox::down-arrow { image: url("$chevron"); width: $tick_px; height: $tick_px; }
QComboBox QAbstractItemView {
    background: $surface; border: 1px solid $border_strong; padding: 2px; outline: 0;
    selection-background-color: $accent; selection-color: $on_accent;
}

QCheckBox, QRadioButton { spacing: 8px; padding: 2px; border: 1px solid transparent; border-radius: 4px; }
QCheckBox:focus, QRadioButton:focus { border-color: $accent; }
QCheckBox::indicator {
    width: $tick_px; height: $tick_px; border: 1px solid $outline; border-radius: 4px; background: $surface;
}
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$tick"); }
QRadioButton::indicator {
    width: $tick_px; height: $tick_px; border: 1px solid $outline; border-radius: $round_px; background: $surface;
}
QRadioButton::indicator:checked {
    border: $ring_px solid $accent; width: $dot_px; height: $dot_px; background: $on_accent;
}

QTableView, QListView, QTreeView {
    background: $surface; border: 1px solid $border; border-radius: 6px; outline: 0;
    selection-background-color: $selection; selection-color: $text;
}
QTableView:focus, QListView:focus, QTreeView:focus { border: 1px solid $accent; }
QListView::item { padding: 3px 7px; border: 1px solid transparent; border-radius: 4px; }
QListView::item:hover { background: $hover; }
QListView::item:selected { background: $selection; color: $text; border-color: $accent; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section {
    background: $surface; color: $secondary; border: none; border-bottom: 1px solid $border_strong; padding: 0 8px;
    font-size: $small_pt; font-weight: 600;
}
QHeaderView::section:hover { color: $text; background: $hover; }
QHeaderView::up-arrow { image: url("$up"); width: $arrow_px; height: $arrow_px; }
QHeaderView::down-arrow { image: url("$chevron"); width: $arrow_px; height: $arrow_px; }
QTableCornerButton::section { background: $surface; border: none; }

QScrollArea { border: 1px solid transparent; border-radius: 4px; background: transparent; }
QScrollArea:focus { border-color: $accent; }
QScrollArea > QWidget > QWidget[role="page"] { background: transparent; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $border; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $outline; border-radius: 4px; margin: 2px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $secondary; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QProgressBar {
    background: $border; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; text-align: center;
}
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QMenuBar { background: $window; border-bottom: 1px solid $border; padding: 2px 8px; }
QMenuBar::item { padding: 4px 8px; border: 1px solid transparent; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $selection; border-color: $accent; }
QMenu { background: $surface; border: 1px solid $border_strong; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 24px; border: 1px solid transparent; border-radius: 4px; }
QMenu::item:selected { background: $selection; color: $text; border-color: $accent; }
QMenu::item:disabled { color: $secondary; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar::tab {
    padding: 6px 12px; border: none; border-bottom: 2px solid transparent; color: $secondary; background: transparent;
}
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $text; border: 2px solid $accent; border-radius: 4px; padding: 4px 10px 6px 10px; }
QGroupBox { border: 1px solid $border; border-radius: 6px; margin-top: 12px; padding: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; color: $secondary; }
"""

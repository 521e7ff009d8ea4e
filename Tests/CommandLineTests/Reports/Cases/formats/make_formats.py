"""Writes places.xlsx with openpyxl and places.ods with odfpy: the same made-up table in each."""

import datetime

import openpyxl
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

HEADER = ["name", "lon", "lat", "since", "checked at", "open", "count", "code"]
ROWS = [
    ["Brücke, Nord", 11.5745, 48.1372, datetime.date(1972, 3, 1), datetime.datetime(2026, 5, 1, 8, 30), True, 12, "007"],
    ['Steg "Süd"', 11.5602, 48.1103, datetime.date(1931, 12, 24), None, False, -3, "x"],
    ["Wehr", 11.5, 48.1, datetime.date(1900, 1, 15), datetime.datetime(1969, 12, 31, 23, 59, 59), True, 2.5, None],
]

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Orte 2026"
sheet.append(["Verzeichnis der Brücken"])
sheet.append([])
sheet.append(HEADER)
for row in ROWS:
    sheet.append(row)
book.create_sheet("leer")
other = book.create_sheet("Zahlen")
other.append(["a", "b"])
other.append([1, "=A2*2"])
book.save("places.xlsx")

document = OpenDocumentSpreadsheet()


def cell(value):
    if value is None:
        return TableCell()
    if isinstance(value, bool):
        made = TableCell(valuetype="boolean", booleanvalue=str(value).lower())
    elif isinstance(value, (int, float)):
        made = TableCell(valuetype="float", value=value)
    elif isinstance(value, (datetime.datetime, datetime.date)):
        made = TableCell(valuetype="date", datevalue=value.isoformat())
    else:
        made = TableCell(valuetype="string")
    made.addElement(P(text=str(value)))
    return made


def table(name, rows):
    made = Table(name=name)
    for values in rows:
        line = TableRow()
        for value in values:
            line.addElement(cell(value))
        made.addElement(line)
    # Spreadsheet programs fill the sheet with repeated empty cells.
    end = TableRow(numberrowsrepeated=1048570)
    end.addElement(TableCell(numbercolumnsrepeated=16384))
    made.addElement(end)
    document.spreadsheet.addElement(made)


table("Orte 2026", [["Verzeichnis der Brücken"], [], HEADER] + ROWS)
table("leer", [])
table("Zahlen", [["a", "b"], [1, 2]])
document.save("places.ods")

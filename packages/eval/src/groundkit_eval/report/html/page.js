for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const value = (row, column) => row.cells[column].textContent;
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        const [n, m] = [parseFloat(x), parseFloat(y)];
        const order = Number.isNaN(n) || Number.isNaN(m) ? x.localeCompare(y) : n - m;
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
}

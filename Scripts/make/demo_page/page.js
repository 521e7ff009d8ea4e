// Images open over the page; without scripts their links open them.
const images = [...document.querySelectorAll("figure > a")]
const dialog = document.querySelector("dialog")
let shown = 0
function show(index) {
  shown = (index + images.length) % images.length
  const image = images[shown].querySelector("img")
  dialog.querySelector("img").src = images[shown].href
  dialog.querySelector("img").alt = image.alt
  dialog.querySelector("p").textContent = image.alt
  if (!dialog.open) dialog.showModal()
}
images.forEach((link, index) => link.addEventListener("click", event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  show(index)
}))
dialog.addEventListener("click", () => dialog.close())
dialog.addEventListener("close", () => images[shown].focus())
dialog.addEventListener("keydown", event => {
  if (event.key === "ArrowRight") show(shown + 1)
  if (event.key === "ArrowLeft") show(shown - 1)
})

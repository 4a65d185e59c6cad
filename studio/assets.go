package studio

import (
	"embed"
	"io/fs"
	"net/http"
)

// files are the page: plain modules that a browser runs as they are.
//
//go:embed page
var files embed.FS

// assets serves the page's files, which have no secrets.
func assets() http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic("studio: " + err.Error())
	}
	serve := http.FileServerFS(page)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		serve.ServeHTTP(w, req)
	})
}

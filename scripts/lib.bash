# shellcheck shell=bash
# What the scripts here share. Source it.

# note says something to whoever watches, on stderr.
note() { printf '%s\n' "$*" >&2; }

# die says what is wrong and ends the script.
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# have succeeds when all the named programs are there.
have() {
	local program
	for program; do
		command -v -- "$program" >/dev/null || return 1
	done
}

# need_go ends the script when there is no Go. (One that is too old fetches the
# version that go.mod asks for, unless it was told not to, and then says so.)
need_go() {
	have go || die "Go is missing: install it from https://go.dev/dl/ (go.mod says which version)"
}

# cache_dir prints the folder for what can always be made again.
cache_dir() {
	echo "${CHEMIGRAM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/chemigram}"
}

# find_darktable prints the path of the darktable-cli to use: DARKTABLE_CLI, or
# the one on PATH, or in a usual place of macOS, MacPorts or Homebrew. It fails when
# there is none.
find_darktable() {
	if [[ -n ${DARKTABLE_CLI:-} ]]; then
		command -v -- "$DARKTABLE_CLI"
		return
	fi
	command -v darktable-cli && return
	local app prefix
	for app in /Applications "${HOME:-}/Applications" /Applications/MacPorts; do
		app=$app/darktable.app/Contents/MacOS/darktable-cli
		[[ -x $app ]] && echo "$app" && return
	done
	for prefix in "${HOMEBREW_PREFIX:-/opt/homebrew}" /opt/homebrew /usr/local /opt/local /home/linuxbrew/.linuxbrew; do
		[[ -x $prefix/bin/darktable-cli ]] && echo "$prefix/bin/darktable-cli" && return
	done
	return 1
}

# darktable_version PATH prints the version of a darktable-cli, as in 5.4.1, or
# nothing when it does not start.
darktable_version() {
	"$1" --version 2>/dev/null </dev/null | sed -nE '1,3s/.*darktable(-cli)? ([0-9]+\.[0-9]+[^ ]*).*/\2/p' | head -n 1
}

# at_least WANTED ACTUAL succeeds when version ACTUAL is WANTED or newer.
at_least() {
	[[ -n $2 && $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# install_package NAME… installs packages with the system's package manager, as
# root or through sudo, and says so first. It fails when there is no manager that
# it knows, or no right to use it.
install_package() {
	local -a manager as_root=()
	if have apt-get; then
		manager=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install)
	elif have dnf; then
		manager=(dnf -y install)
	elif have pacman; then
		manager=(pacman -S --noconfirm --needed)
	elif have brew; then
		manager=(brew install)
	else
		note "no package manager that this script knows (apt-get, brew, dnf, pacman)"
		return 1
	fi
	if [[ ${manager[0]} != brew && $(id -u) != 0 ]]; then
		# without a terminal, sudo may only be used if it asks no password
		if ! have sudo || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
			note "$* cannot be installed: that needs root, and sudo is not to be had here"
			return 1
		fi
		as_root=(sudo)
	fi
	note "installing: ${as_root[*]:+${as_root[*]} }${manager[*]} $*"
	{
		if [[ ${manager[*]} == *apt-get* ]]; then ${as_root[@]+"${as_root[@]}"} apt-get -q update; fi &&
			${as_root[@]+"${as_root[@]}"} "${manager[@]}" "$@"
	} >&2 || {
		note "installing $* failed (see above)"
		return 1
	}
}

# step TITLE COMMAND… runs one step of a longer run: a headline, what the command
# says, and the seconds it took. A step that fails ends the run.
step() {
	local title=$1 start=$SECONDS
	shift
	printf '\n== %s\n' "$title"
	"$@" || die "failed: $title"
	printf -- '-- %s: %d s\n' "$title" $((SECONDS - start))
}

# shellcheck shell=bash
# Debian's packages without touching the system: no root, nothing installed. Source it
# behind lib.bash, and set $work to a folder that goes at the end.

# configure_apt ARCHITECTURE ARCHIVES SUITES has apt-get use, from then on, a
# configuration in the folder $work that shares nothing with the system's but its proxy
# settings: no package is installed there, and it downloads Debian's into ARCHIVES.
configure_apt() {
	local architecture=$1 archives=$2 suites=$3 apt=$work/apt mirror keys
	unset APT_CONFIG
	mirror=$(find_mirror)
	keys=$(find_keyring)
	mkdir -p "$apt/lists/partial" "$apt/empty/partial"
	: >"$apt/status"
	cat >"$apt/debian.sources" <<-END
		Types: deb
		URIs: $mirror
		Suites: $suites
		Components: main
		Targets: Packages
		Signed-By: $keys
	END
	{
		apt-config dump | grep -E '^Acquire::(http|https)::[^ ]*(Proxy|Timeout)[^ ]* "..*";' || true
		cat <<-END
			APT::Architecture "$architecture";
			APT::Architectures { "$architecture"; };
			APT::Install-Recommends "false";
			APT::Sandbox::User "$(id -un)";
			Acquire::Languages "none";
			Acquire::Retries "3";
			Acquire::Check-Valid-Until "false"; // a snapshot of the archive serves as well
			Dir::State "$apt";
			Dir::State::status "$apt/status";
			Dir::State::lists "$apt/lists";
			Dir::Cache "$apt";
			Dir::Cache::archives "$archives";
			Dir::Etc::main "$apt/empty/none";
			Dir::Etc::parts "$apt/empty";
			Dir::Etc::sourcelist "$apt/debian.sources";
			Dir::Etc::sourceparts "$apt/empty";
			Dir::Etc::preferences "$apt/empty/none";
			Dir::Etc::preferencesparts "$apt/empty";
		END
	} >"$apt/apt.conf"
	export APT_CONFIG=$apt/apt.conf
}

# find_mirror prints the Debian mirror to use: the one that this system's apt is
# told of, in either format of its sources, or the one that debootstrap knows.
find_mirror() {
	local found=${CHEMIGRAM_DEBIAN_MIRROR:-}
	[[ -n $found ]] || found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
		grep -E '^(deb |URIs:)' | grep -oE '(https?|file):[^ ]*/debian/?( |$)' | head -n 1)
	[[ -n $found ]] || found=$(sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap || echo /dev/null)" | head -n 1)
	[[ -n $found ]] || die "this system's apt knows no Debian mirror: set CHEMIGRAM_DEBIAN_MIRROR to one (https://www.debian.org/mirror/list has them)"
	echo "${found% }"
}

# find_keyring prints the path of Debian's archive keyring. Where the system has none
# (Ubuntu), it comes out of the system's own debian-archive-keyring package.
find_keyring() {
	local path=${CHEMIGRAM_DEBIAN_KEYRING:-} name=usr/share/keyrings/debian-archive-keyring.gpg
	if [[ -z $path && ! -r /$name ]]; then
		(cd "$work" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download debian-archive-keyring >&2 && dpkg-deb -x debian-archive-keyring_*.deb keyring) ||
			die "Debian's archive keyring is missing: install the package debian-archive-keyring, or set CHEMIGRAM_DEBIAN_KEYRING"
		path=$work/keyring/$name
	fi
	echo "${path:-/$name}"
}

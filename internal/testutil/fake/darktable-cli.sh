#!/bin/sh
# A replacement of darktable-cli for tests. Its folder holds:
#   version    what --version prints
#   script     one behaviour in each line, for one call each; the last is for all later calls
#   head, tail the parts of a JPEG before and after its frame header
#   size       width and height of the JPEG, or nothing for what was requested
#   png        what is written to an output of this extension, if it is there
#   stderr     what every call writes to stderr
# It leaves call.N/args (each ended by NUL) and call.N/pids for call N.
here=${0%/*}

if [ "$1" = --version ]; then
	cat "$here/version"
	exit 0
fi

n=1
while [ -e "$here/call.$n" ] || ! mkdir "$here/call.$n" 2>/dev/null; do n=$((n + 1)); done
call=$here/call.$n
printf '%s\000' "$@" >"$call/args"
echo $$ >"$call/pids"

set -- "$@" --core
file='' out='' width=0 height=0 imports=0
while [ "$1" != --core ]; do
	case $1 in
	--width) width=$2 && shift ;;
	--height) height=$2 && shift ;;
	--import) echo "$2" >>"$call/imports" && imports=1 && file=$2 && shift ;;
	--verbose | --style-overwrite) ;;
	--*) shift ;;
	*) file=${file:-$1} out=$1 ;;
	esac
	[ $# -gt 1 ] && shift
done

while [ "$n" -gt 0 ] && read -r line; do
	behaviour=$line n=$((n - 1))
done <"$here/script"
[ ! -s "$here/stderr" ] || cat "$here/stderr" >&2

# hang waits for a child process that sleeps for ten minutes.
hang() {
	sleep 600 &
	echo $! >>"$call/pids"
	wait
}

# jpeg writes a mid-grey JPEG of $1 by $2 pixels: with the tables of tail, a block is
# two zero bits, and a unit of 8 by 8 pixels in three channels is six.
jpeg() {
	across=$((($1 + 7) / 8)) down=$((($2 + 7) / 8))
	units=$((across * down))
	cat "$here/head"
	# shellcheck disable=SC2059 # the format is made of octal escapes
	printf "$(printf '\\377\\300\\000\\021\\010\\%03o\\%03o\\%03o\\%03o' $(($2 / 256)) $(($2 % 256)) $(($1 / 256)) $(($1 % 256)))"
	printf '\003\001\021\000\002\021\000\003\021\000'
	cat "$here/tail"
	head -c "$((units * 6 / 8 + 1))" /dev/zero
	printf '\377\331'
}

case $behaviour in
hangs) exec sleep 600 ;;
ignores-term)
	trap '' TERM INT HUP
	while :; do hang; done
	;;
hangs-in-child) hang ;;
writes-nothing) exit 0 ;;
fails) exit "$(cat "$here/status")" ;;
crashes)
	# shellcheck disable=SC3045 # every sh has it, and no core file may be left
	ulimit -c 0
	kill -s SEGV $$
	;;
floods-for-ever) exec yes 'fake darktable: this line says nothing' >&2 ;;
floods) yes 'fake darktable: this line says nothing' | head -n 100000 >&2 ;;
esac

if [ ! -f "$file" ]; then
	echo "error: can't open file $file" >&2
	exit 1
fi

# The largest picture of 3 to 2 in the requested size.
read -r w h <"$here/size" || {
	[ "$width" -gt 0 ] || width=1224
	[ "$height" -gt 0 ] || height=816
	w=$width h=$((width * 2 / 3))
	[ "$h" -le "$height" ] || h=$height w=$((height * 3 / 2))
}
[ "$behaviour" != wrong-size ] || w=$((w / 2)) h=$((h / 2))

# develop writes one picture to $1.
develop() {
	# Like darktable, never write over a file.
	out=$1 i=1
	while [ -e "$out" ]; do
		base=${out%_*} && [ "$i" -gt 1 ] || base=${out%.*}
		out=$(printf '%s_%02d.%s' "$base" "$i" "${out##*.}")
		i=$((i + 1))
	done

	case $behaviour in
	garbage) echo 'this is not a picture' >"$out" ;;
	fills-disk) head -c 1000000000 /dev/zero >"$out" ;;
	truncated) jpeg "$w" "$h" | head -c "$(($(wc -c <"$here/head") + $(wc -c <"$here/tail") + 40))" >"$out" ;;
	*)
		if [ -e "$here/png" ] && [ "${out##*.}" = png ]; then
			cp "$here/png" "$out"
		else
			jpeg "$w" "$h" >"$out"
		fi
		;;
	esac
	echo "[export_job] exported to \`$out'" >&2
}

if [ "$imports" = 0 ]; then
	develop "$out"
	exit
fi
# Of darktable's variables, only $(FILE_FOLDER) is supported.
before=${out%%\$(FILE_FOLDER)*} after=${out#*\$(FILE_FOLDER)}
while read -r file; do
	mkdir -p "$before${file%/*}"
	develop "$before${file%/*}$after"
done <"$call/imports"

# Makes tools/profile/ingot.profdata anew (docs/decisions/0040): the programs count what they do while machines come on a real
# kube-apiserver and on the embedded API, hosts live their lives, and an agent polls and follows BMCs.

! asks_for_help "$@" || { sed -n 's/^# //p' tools/dev/profile.sh; exit 0; }
set_up
build_preset profile ingot-coordinator ingot-agent ingotctl ingot-sim
tools/peers/kubernetes.sh
counts=build/profile/counts programs=build/profile/bin
rm -rf "$counts"
/usr/bin/python3 tools/bench/machines_kube.py --binary "$programs/ingot-coordinator" 100
/usr/bin/python3 tools/bench/machines.py --binary "$programs/ingot-coordinator" 1000
/usr/bin/python3 tools/bench/lifecycle.py --binary "$programs/ingot-coordinator" 1000
/usr/bin/python3 tools/bench/agents.py --programs "$programs" --only steady arrivals --hosts 200
llvm-profdata-19 merge -sparse -o tools/profile/ingot.profdata "$counts"/*.profraw
ls -l tools/profile/ingot.profdata

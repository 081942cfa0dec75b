# first_tab.zsh FOLDER LINE: what a zsh that finds completions in FOLDER makes of LINE at the first Tab.
zmodload zsh/zpty
zpty shell "PS1='ready> ' zsh -f -i"
zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word; unsetopt list_beep"
zpty -w shell 'PS1="set> "'
zpty -r -m shell _ '*set> *'
zpty -w -n shell $'\C-u'"$2"$'\t'
sleep 0.2
zpty -w -n shell $'\C-a: \C-e;echo done\n'
zpty -r -m shell said $'*done\r\n*'
print -r -- "$said"
zpty -d shell

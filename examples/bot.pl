#!/usr/bin/perl
# A bot in Perl: builds where it can, else battles, else plays a card; the rest by chance.
#   quartermaster simulate --bots "program:perl examples/bot.pl,random" --games 10
use strict;
use warnings;
use JSON::PP;

$| = 1;    # every answer is sent at once
my @wishes = (qr/^(build|recruit) /, qr/^battle \S+ \S/, qr/^play (build|land|sea)-/, qr/^play /, qr/^pass/);
my $game = 0;

while (my $line = <STDIN>) {
    my $asked = decode_json($line);
    if ($asked->{hello}) {
        print encode_json({hello => 1}), "\n";
        next;
    }
    if ($asked->{game} != $game) {    # a new game: the same seed, the same choices
        $game = $asked->{game};
        srand($asked->{seed});
    }
    my @actions = @{$asked->{actions}};
    for my $wish (@wishes) {
        my @good = grep { $_ =~ $wish } @actions;
        if (@good) { @actions = @good; last }
    }
    my $action = $actions[int(rand(@actions))];
    print encode_json({number => $asked->{number}, action => $action}), "\n";
}

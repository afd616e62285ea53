#!/usr/bin/env perl
# A plugin in a language that the agent knows nothing of: it speaks the protocol of docs/plugin-protocol.md itself.
use strict;
use warnings;
use JSON::PP;

binmode STDIN;
binmode STDOUT;
$| = 1;
my $json = JSON::PP->new->utf8->canonical;
my $plugin = '';
my $asked = 0;

# --- What it does ---

sub tally {
    my ($text) = @_;
    my @words = split ' ', $text;
    return { words => scalar @words, characters => length $text };
}

my %handlers = (
    'tool:tally_words' => sub { $json->encode(tally($_[0]{args}{text} // '')) },
    'hook:post_tool_call' => sub {
        ask('ctx.storage.set', { key => 'tallied', value => tallied() + 1 }) if $_[0]{payload}{tool_name} eq 'tally_words';
        return undef;
    },
    'command:tallied' => sub { 'Words were tallied ' . (tallied() == 1 ? 'once.' : tallied() . ' times.') },
);

sub tallied { ask('ctx.storage.get', { key => 'tallied' }) // 0 }

sub register_all {
    register('tool', 'tally_words', schema => {
        description => 'Count the words and characters of a text.',
        parameters => { type => 'object', properties => { text => { type => 'string', description => 'The text.' } }, required => ['text'] },
    });
    register('hook', 'post_tool_call');
    register('command', 'tallied', description => 'How often words were tallied.');
}

# --- How it speaks ---

sub say_line { print $json->encode({ jsonrpc => '2.0', @_ }), "\n" }

sub register {
    my ($kind, $name, %more) = @_;
    say_line(method => 'register', params => { plugin => $plugin, kind => $kind, name => $name, handle => "$plugin/$kind:$name#0", %more });
}

# Whatever comes before the answer is done meanwhile.
sub ask {
    my ($method, $params) = @_;
    my $id = 'p' . ++$asked;
    say_line(id => $id, method => $method, params => { plugin => $plugin, %$params });
    while (defined(my $line = <STDIN>)) {
        my $message = $json->decode($line);
        if (defined $message->{method}) { take($message); next }
        next if $message->{id} ne $id;
        die "$message->{error}{message}\n" if $message->{error};
        return $message->{result};
    }
    exit 0;
}

sub answer {
    my ($method, $params) = @_;
    return { protocol => 1, host => 'perl', version => "$]" } if $method eq 'initialize';
    return {} if $method eq 'ping';
    if ($method eq 'plugin.load') { $plugin = $params->{plugin}; register_all(); return undef }
    return undef if $method eq 'plugin.unload' || $method eq 'shutdown';
    my ($key) = ($params->{handle} // '') =~ m{/([a-z]+:\w+)#\d+$};
    die "it does not know the method $method\n" unless defined $key && $handlers{$key};
    return $handlers{$key}->($params);
}

# `cancel` and `env` want no answer, and there is nothing here to stop.
sub take {
    my ($message) = @_;
    return unless defined $message->{id};
    my $result = eval { [answer($message->{method}, $message->{params} // {})] };
    chomp(my $why = $@);
    say_line(id => $message->{id}, $result ? (result => $result->[0]) : (error => { code => -32000, message => $why }));
    exit 0 if $message->{method} eq 'shutdown';
}

while (defined(my $line = <STDIN>)) {
    my $message = $json->decode($line);
    take($message) if defined $message->{method};
}

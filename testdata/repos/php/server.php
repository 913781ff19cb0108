<?php

require __DIR__ . "/vendor/autoload.php";

use PhpMcp\Server\Server;
use PhpMcp\Server\Transports\StdioServerTransport;

Server::make()->withServerInfo("thrush", "1.0.0")->build()->listen(new StdioServerTransport());
